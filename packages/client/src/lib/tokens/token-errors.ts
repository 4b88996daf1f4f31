import { InlayError } from '../errors.ts';

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}
