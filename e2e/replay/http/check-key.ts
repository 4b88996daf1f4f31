import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

/**
 * Checks the API key of a request.
 *
 * @param apiKey The only valid key. If undefined, every key is valid.
 * @throws {ApiError} 401 if the key is missing or wrong.
 */
export function checkKey(request: IncomingMessage, apiKey: string | undefined): void {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (key !== undefined && (apiKey === undefined || key === apiKey)) return;
  const message =
    key === undefined
      ? 'No API key was sent. Send it in the header Authorization: Bearer <key>.'
      : 'The API key is not correct.';
  throw new ApiError(401, message, { code: 'invalid_api_key' });
}
