import type { LogEvent } from '@inlay/protocol';
import { type Frame, frameOf } from './frame.ts';

type Preview = { readonly id: string; readonly type: string; text: string };

/** The state of a session on the server: its log and its open previews. */
export class PlayedLog {
  readonly events: Frame[] = [];
  #preview: Preview | null = null;
  #fragment = 0;

  get lastSeq(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  /** Appends a frame. */
  take(frame: Frame): void {
    const { event } = frame;
    if (!event) return;
    this.#fragment = frame.fragment;
    if (event.type === 'event_start') {
      this.#preview = { ...event.event, text: '' };
    } else if (event.type === 'event_delta') {
      if (this.#preview) this.#preview.text += event.delta.content.text;
    } else if (event.type !== 'session.created') {
      this.events.push(frame);
      const { id, type } = event as LogEvent;
      if (id === this.#preview?.id || type.startsWith('session.status_')) this.#preview = null;
    }
  }

  /** Returns the frames of a stream that begins after an event: later events and open previews. */
  after(seq: number): Frame[] {
    // An unknown position replays the whole log.
    const from = seq > this.lastSeq ? 0 : seq;
    return [...this.events.slice(from), ...this.#previewFrames()];
  }

  #previewFrames(): Frame[] {
    if (!this.#preview) return [];
    const { id, type, text } = this.#preview;
    const start = frameOf(
      { type: 'event_start', event: { id, type } },
      this.lastSeq,
      this.#fragment,
    );
    if (text === '') return [start];
    const content = { type: 'text' as const, text };
    const delta = { type: 'content_delta' as const, index: 0, content };
    return [
      start,
      frameOf({ type: 'event_delta', event_id: id, delta }, this.lastSeq, this.#fragment),
    ];
  }
}
