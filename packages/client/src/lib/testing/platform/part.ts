import type { Citation, DeltaType } from '@inlay/protocol';

/** Sends a part to streams and to the log. */
interface PartPorts {
  readonly deliver: (event: { readonly type: string }) => void;
  readonly append: (event: { readonly type: string; readonly id: string }) => void;
}

/** An agent message or thought that is streamed, until it is finished and logged. */
export class Part {
  readonly id: string;
  readonly type: DeltaType;
  readonly #ports: PartPorts;
  #text = '';
  readonly #citations: Citation[] = [];

  constructor(event: { readonly id: string; readonly type: DeltaType }, ports: PartPorts) {
    this.id = event.id;
    this.type = event.type;
    this.#ports = ports;
    ports.deliver(this.#start);
  }

  /** The text so far. */
  get text(): string {
    return this.#text;
  }

  /** Streams more text. */
  add(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#ports.deliver(this.#delta(text));
  }

  /** Cites a source of the text so far. */
  cite(source: Omit<Citation, 'end_index'>): void {
    this.#citations.push({ ...source, end_index: this.#text.length } as Citation);
  }

  /** Logs the complete message, or the incomplete one with its reason. */
  finish(incomplete?: 'interrupted' | 'failed'): void {
    const citations = this.#citations.length > 0 && { citations: this.#citations };
    const content = [{ type: 'text', text: this.#text, ...citations }];
    const broken = incomplete && this.type === 'agent.message' ? { incomplete } : {};
    const whole = { type: this.type, id: this.id, content, ...broken };
    this.#ports.append(whole);
  }

  /** The events that a new stream needs. */
  soFar(): { readonly type: string }[] {
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
