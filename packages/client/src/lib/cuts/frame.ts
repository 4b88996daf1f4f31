import type { LiveEvent, LogEvent } from '@inlay/protocol';

/** One server-sent event, or comment, as it goes over the wire. */
export interface Frame {
  readonly text: string;
  /** Where it stands: the last event of the log before it, or itself. 0 for a comment. */
  readonly seq: number;
  /** How manieth fragment after that event of the log; 0 for the event itself. */
  readonly fragment: number;
  readonly event: LogEvent | LiveEvent | null;
}

/** Writes an event down as the server does. */
export function frameOf(event: LogEvent | LiveEvent, seq: number, fragment: number): Frame {
  const id = fragment === 0 ? `${seq}` : `${seq}.${fragment}`;
  const text = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
  return { text, seq, fragment, event };
}

/** Reads a frame that a server wrote. */
export function readFrame(text: string): Frame {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  const [seq = 0, fragment = 0] = (/^id: (.*)$/m.exec(text)?.[1] ?? '').split('.').map(Number);
  const event = data === undefined ? null : (JSON.parse(data) as LogEvent | LiveEvent);
  return { text, seq, fragment, event };
}
