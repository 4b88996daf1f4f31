import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

/** Maximum size in bytes. Bodies can contain images. */
const largestBody = 32 * 2 ** 20;

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > largestBody) throw new ApiError(413, 'The body is larger than 32 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
