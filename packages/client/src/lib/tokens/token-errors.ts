import { InlayError } from '../errors.ts';

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}

/** Errors that are a fault in the host's own code, which time alone does not mend. */
export const hostFaults = new WeakSet<InlayError>();
