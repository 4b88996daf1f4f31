import { InlayError } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** How long one request of JSON may take. */
const limit = 30_000;

/** The time limit of one request, for `withTimeout`. */
export function requestTimeout(clock: Clock, signal: AbortSignal) {
  return {
    clock,
    signal,
    milliseconds: limit,
    late: () =>
      new InlayError('NETWORK_ERROR', 'The platform did not answer within 30 seconds.', {
        retryable: true,
      }),
  };
}
