import { formatStreamId, type StreamPosition } from '@inlay/protocol';

/**
 * Encodes a server-sent event. JSON escapes all line breaks in strings, so that no content can end
 * the frame or start another one.
 */
export function frame(event: { type: string }, position?: StreamPosition): Buffer {
  const id = position ? `id: ${formatStreamId(position)}\n` : '';
  return Buffer.from(`event: ${event.type}\n${id}data: ${JSON.stringify(event)}\n\n`);
}

/** Heartbeat comment for proxies and the client's watchdog. */
export const heartbeat = Buffer.from(': \n\n');

/** The first bytes of a stream: padding for proxies that buffer the first 2 KiB. */
export const greeting = Buffer.from(`: ${' '.repeat(2045)}\n\n`);
