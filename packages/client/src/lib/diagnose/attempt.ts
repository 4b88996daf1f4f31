import { type InlayError, isInlayError } from '../errors.ts';

/** What came of something that may fail: a value, or an error. */
export type Outcome<Value> =
  | { readonly value: Value; readonly error: null }
  | { readonly value: null; readonly error: InlayError };

/** Does something, and gives its error as a value. Throws what ends the diagnosis itself. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work(), error: null };
  } catch (error) {
    if (!isInlayError(error) || abandoned.has(error.code)) throw error;
    return { value: null, error };
  }
}

/** The caller, the page or another person wants no answer any more. */
const abandoned: ReadonlySet<string> = new Set(['ABORTED', 'CLOSED', 'SUBJECT_CHANGED']);
