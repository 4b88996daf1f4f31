/** Returns the data to send in place of an event's data; null to drop the data. */
export type RelayData = (data: string) => string | null;

/**
 * Relays a stream of server-sent events. Each line is sent as soon as it is complete. Lines other than
 * `data:` are not changed.
 *
 * @param relay Called with the value of each `data:` line. If it drops the data, the blank line after
 *   the event is still sent: clients ignore an event without data.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* relayEvents(
  chunks: AsyncIterable<Uint8Array>,
  relay: RelayData,
): AsyncGenerator<string, void, undefined> {
  // `TextDecoder` also removes a byte order mark.
  const decoder = new TextDecoder();
  /** The pieces of an incomplete line. They are joined once, because each join copies the text. */
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
