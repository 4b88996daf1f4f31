import type { Citation, DeltaType } from '@inlay/protocol';

interface OutputPorts {
  /** Sends an event to the streams. */
  readonly stream: (event: { readonly type: string }) => void;
  /** Appends the complete event to the log. */
  readonly append: (event: { readonly type: string; readonly id: string }) => void;
}

/** An agent message or thinking that is streamed until it is finished and logged. */
export class StreamedOutput {
  readonly id: string;
  readonly type: DeltaType;
  readonly #ports: OutputPorts;
  #text = '';
  readonly #citations: Citation[] = [];

  constructor(event: { readonly id: string; readonly type: DeltaType }, ports: OutputPorts) {
    this.id = event.id;
    this.type = event.type;
    this.#ports = ports;
    ports.stream(this.#start);
  }

  /** The text so far. */
  get text(): string {
    return this.#text;
  }

  /** Streams more text. */
  add(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#ports.stream(this.#delta(text));
  }

  /** Cites a source of the text so far. */
  cite(source: Omit<Citation, 'end_index'>): void {
    this.#citations.push({ ...source, end_index: this.#text.length } as Citation);
  }

  /** Logs the complete message, or the incomplete one with its reason. */
  finish(incomplete?: 'interrupted' | 'failed'): void {
    const citations = this.#citations.length > 0 && { citations: this.#citations };
    const content = [{ type: 'text', text: this.#text, ...citations }];
    const reason = incomplete && this.type === 'agent.message' ? { incomplete } : {};
    const event = { type: this.type, id: this.id, content, ...reason };
    this.#ports.append(event);
  }

  /** Returns the events with which a new stream begins. */
  eventsSoFar(): { readonly type: string }[] {
    return [this.#start, ...(this.#text === '' ? [] : [this.#delta(this.#text)])];
  }

  get #start() {
    return { type: 'event_start', event: { id: this.id, type: this.type } };
  }

  #delta(text: string) {
    const delta = { type: 'content_delta', index: 0, content: { type: 'text', text } };
    return { type: 'event_delta', event_id: this.id, delta };
  }
}
