/**
 * The SSE id of what a stream sends: `<seq>` for an event of the log, `<seq>.<n>` for a fragment,
 * `seq` being the last event of the log before it. A reader that comes back sends the last id it
 * applied as `Last-Event-ID`, and gets every event of the log after that `seq`.
 */
export interface StreamPosition {
  /** The last event of the log that was applied; 0 before the first. */
  seq: number;
  /** How many fragments after it; 0 for the event itself. */
  fragment: number;
}

export function formatStreamId(position: StreamPosition): string {
  return position.fragment === 0 ? `${position.seq}` : `${position.seq}.${position.fragment}`;
}

/** Null for anything that no server of this protocol sends. */
export function parseStreamId(id: string): StreamPosition | null {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id);
  return match ? { seq: Number(match[1]), fragment: Number(match[2] ?? 0) } : null;
}
