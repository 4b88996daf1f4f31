/** Returns the data to send in place of an event's data; null to drop the event. */
export type RelayData = (data: string) => string | null;

/**
 * Passes a stream of server-sent events on. Each line is sent as soon as it is complete; lines
 * other than `data:` are passed on unchanged.
 *
 * @param relay Called with each `data:` line. The blank line that ends a dropped event is sent:
 *   clients ignore it.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* relayEvents(
  chunks: AsyncIterable<Uint8Array>,
  relay: RelayData,
): AsyncGenerator<string, void, undefined> {
  // Also removes a byte order mark.
  const decoder = new TextDecoder();
  /** The start of a line that is not complete, in pieces: appending to a string copies it. */
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end === -1) {
      pending.push(text);
      continue;
    }
    const complete = pending.join('') + text.slice(0, end + 1);
    pending = [text.slice(end + 1)];
    yield relayLines(complete, relay);
  }
  const rest = pending.join('') + decoder.decode();
  if (rest !== '') yield relayLines(`${rest}\n\n`, relay);
}

function relayLines(text: string, relay: RelayData): string {
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const [, data] = /^data: ?(.*?)\r?\n$/s.exec(line) ?? [];
      if (data === undefined) return line;
      const relayed = relay(data);
      if (relayed === data) return line;
      return relayed === null ? '' : `data: ${relayed}\n`;
    })
    .join('');
}
