import { InlayError } from '../errors.ts';

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}

const faults = new WeakSet<InlayError>();

/** Marks an error as a fault in the host's own code, which time alone does not mend. */
export function hostFault(error: InlayError): InlayError {
  faults.add(error);
  return error;
}

/** Whether an error is a fault in the host's own code. */
export function isHostFault(error: InlayError): boolean {
  return faults.has(error);
}
