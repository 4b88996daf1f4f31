/**
 * A parsed SSE event id: `<seq>` for a logged event, `<seq>.<n>` for the n-th fragment after that
 * event. A client that reconnects sends the last applied id as `Last-Event-ID` and gets all logged
 * events after that `seq`.
 */
export interface StreamPosition {
  /** `seq` of the last applied logged event; 0 before the first. */
  seq: number;
  /** Number of fragments after that event; 0 for the event itself. */
  fragment: number;
}

export function formatStreamId(position: StreamPosition): string {
  return position.fragment === 0 ? `${position.seq}` : `${position.seq}.${position.fragment}`;
}

/**
 * Parses an SSE event id.
 *
 * @returns The position, or null if the id has another format.
 */
export function parseStreamId(id: string): StreamPosition | null {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id);
  return match ? { seq: Number(match[1]), fragment: Number(match[2] ?? 0) } : null;
}
