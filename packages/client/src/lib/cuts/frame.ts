import type { LiveEvent, LogEvent } from '@inlay/protocol';

/** A server-sent event or comment on the wire. */
export interface Frame {
  readonly text: string;
  /** `seq` of the event, or of the last logged event before a fragment; 0 for a comment. */
  readonly seq: number;
  /** Number of the fragment after that event; 0 for the event itself. */
  readonly fragment: number;
  readonly event: LogEvent | LiveEvent | null;
}

/** Formats an event as the server does. */
export function frameOf(event: LogEvent | LiveEvent, seq: number, fragment: number): Frame {
  const id = fragment === 0 ? `${seq}` : `${seq}.${fragment}`;
  const text = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
  return { text, seq, fragment, event };
}

/** Parses a frame of a server. */
export function readFrame(text: string): Frame {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  const [seq = 0, fragment = 0] = (/^id: (.*)$/m.exec(text)?.[1] ?? '').split('.').map(Number);
  const event = data === undefined ? null : (JSON.parse(data) as LogEvent | LiveEvent);
  return { text, seq, fragment, event };
}
