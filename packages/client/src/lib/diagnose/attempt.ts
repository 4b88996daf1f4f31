import { type InlayError, isInlayError } from '../errors.ts';

/** The result of an attempt: a value or an error. */
export type Outcome<Value> =
  | { readonly value: Value; readonly error: null }
  | { readonly value: null; readonly error: InlayError };

/** Runs an action and returns its error as a value. Throws errors that end the diagnosis. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work(), error: null };
  } catch (error) {
    if (!isInlayError(error) || endingCodes.has(error.code)) throw error;
    return { value: null, error };
  }
}

/** Codes of errors that end the diagnosis. */
const endingCodes: ReadonlySet<string> = new Set(['ABORTED', 'CLOSED', 'SUBJECT_CHANGED']);
