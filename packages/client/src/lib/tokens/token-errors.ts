import { InlayError } from '../errors.ts';

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}

export function unavailable(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'No token could be had.', { retryable: true });
}
