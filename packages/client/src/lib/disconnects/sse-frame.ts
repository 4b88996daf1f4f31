import type { LiveEvent, LogEvent } from '@inlay/protocol';

/** A server-sent event or comment, with its text on the wire. */
export interface SseFrame {
  readonly text: string;
  /** `seq` of the event, or of the last logged event before a fragment; 0 for a comment. */
  readonly seq: number;
  /** Number of the fragment after that event; 0 for the event itself. */
  readonly fragment: number;
  readonly event: LogEvent | LiveEvent | null;
}

/** Formats an event as the server does. */
export function formatFrame(event: LogEvent | LiveEvent, seq: number, fragment: number): SseFrame {
  const id = fragment === 0 ? `${seq}` : `${seq}.${fragment}`;
  const text = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
  return { text, seq, fragment, event };
}

/** Parses the text of a frame. */
export function parseFrame(text: string): SseFrame {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  const [seq = 0, fragment = 0] = (/^id: (.*)$/m.exec(text)?.[1] ?? '').split('.').map(Number);
  const event = data === undefined ? null : (JSON.parse(data) as LogEvent | LiveEvent);
  return { text, seq, fragment, event };
}
