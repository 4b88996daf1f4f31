import { InlayError } from '../errors.ts';

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}

export function unavailable(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'No token could be had.', { retryable: true });
}

export function spentToken(): InlayError {
  return new InlayError(
    'INVALID_TOKEN_FROM_HOST',
    'getToken gave a token that has expired already. Let your backend issue a new one on every call.',
    { retryable: true },
  );
}
