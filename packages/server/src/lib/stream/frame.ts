import { formatStreamId, type StreamPosition } from '@inlay/protocol';

/**
 * One server-sent event, ready for the socket, so that it is made once for all its readers. JSON
 * escapes every line end inside a string, so nothing that was said can end the frame or forge
 * another.
 */
export function frame(event: { type: string }, position?: StreamPosition): Buffer {
  const id = position ? `id: ${formatStreamId(position)}\n` : '';
  return Buffer.from(`event: ${event.type}\n${id}data: ${JSON.stringify(event)}\n\n`);
}

/** Tells proxies on the way, and the client's watchdog, that the stream lives. */
export const heartbeat = Buffer.from(': \n\n');

/** Goes out first. Proxies that gather a couple of KiB before they pass anything on get them. */
export const greeting = Buffer.from(`: ${' '.repeat(2045)}\n\n`);
