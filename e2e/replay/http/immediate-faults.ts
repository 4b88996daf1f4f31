import type { ServerResponse } from 'node:http';
import type { ReplayOptions } from '../stream/options.ts';
import { ApiError, sendApiError } from './api-error.ts';
import type { Exchange } from './exchange.ts';

const unavailablePage = `<!DOCTYPE html>
<html>
<head><title>503 Service Temporarily Unavailable</title></head>
<body>
<center><h1>503 Service Temporarily Unavailable</h1></center>
<hr><center>nginx</center>
</body>
</html>
`;

/** Plays faults that occur before the answer. Returns false for other faults. */
export function playImmediateFault(
  exchange: Exchange,
  response: ServerResponse,
  options: ReplayOptions,
): boolean {
  switch (options.fault) {
    case 'rate-limit':
      sendApiError(
        response,
        new ApiError(429, `Too many requests. Try again in ${options.retryAfter} s.`, {
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
        }),
        {
          'retry-after': String(options.retryAfter),
          'x-ratelimit-limit-requests': '60',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': `${options.retryAfter}s`,
        },
      );
      return true;
    case 'server-error':
      sendApiError(
        response,
        new ApiError(500, 'The server failed while it handled the request.', {
          type: 'server_error',
        }),
      );
      return true;
    case 'html-503':
      response.writeHead(503, { 'content-type': 'text/html' });
      response.end(unavailablePage);
      return true;
    case 'reset':
      exchange.cut('reset');
      return true;
    case 'no-response':
      return true;
    default:
      return false;
  }
}
