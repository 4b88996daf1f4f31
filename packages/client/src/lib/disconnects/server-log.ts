import type { LogEvent } from '@inlay/protocol';
import { formatFrame, type SseFrame } from './sse-frame.ts';

type Preview = { readonly id: string; readonly type: string; text: string };

/** The state of a session on the server: its log, and the preview of an unfinished event. */
export class ServerLog {
  readonly frames: SseFrame[] = [];
  #preview: Preview | null = null;
  #fragment = 0;

  get lastSeq(): number {
    return this.frames.at(-1)?.seq ?? 0;
  }

  /** Applies a frame: appends an event of the log, or changes the preview. */
  append(frame: SseFrame): void {
    const { event } = frame;
    if (!event) return;
    this.#fragment = frame.fragment;
    if (event.type === 'event_start') {
      this.#preview = { ...event.event, text: '' };
    } else if (event.type === 'event_delta') {
      if (this.#preview) this.#preview.text += event.delta.content.text;
    } else if (event.type !== 'session.created') {
      this.frames.push(frame);
      const { id, type } = event as LogEvent;
      if (id === this.#preview?.id || type.startsWith('session.status_')) this.#preview = null;
    }
  }

  /** Returns the frames of a stream that resumes after `seq`: later events, then the preview. */
  framesAfter(seq: number): SseFrame[] {
    // An unknown position replays the whole log.
    const start = seq > this.lastSeq ? 0 : seq;
    return [...this.frames.slice(start), ...this.#previewFrames()];
  }

  #previewFrames(): SseFrame[] {
    if (!this.#preview) return [];
    const { id, type, text } = this.#preview;
    const start = formatFrame(
      { type: 'event_start', event: { id, type } },
      this.lastSeq,
      this.#fragment,
    );
    if (text === '') return [start];
    const content = { type: 'text' as const, text };
    const delta = { type: 'content_delta' as const, index: 0, content };
    return [
      start,
      formatFrame({ type: 'event_delta', event_id: id, delta }, this.lastSeq, this.#fragment),
    ];
  }
}
