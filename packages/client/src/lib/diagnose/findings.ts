import { type InlayError, isInlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Check } from './report.ts';

/** The result of a check, without the check's id. */
export type Finding = Omit<Check, 'id'>;
type Facts = Check['facts'];

export function okFinding(cause: string, facts: Facts = {}): Finding {
  return { outcome: 'ok', cause, remedy: null, facts };
}

export function failedFinding(cause: string, remedy: string, facts: Facts = {}): Finding {
  return { outcome: 'failed', cause, remedy, facts };
}

export function warningFinding(cause: string, remedy: string, facts: Facts = {}): Finding {
  return { outcome: 'warning', cause, remedy, facts };
}

export function skippedFinding(cause: string): Finding {
  return { outcome: 'skipped', cause, remedy: null, facts: {} };
}

/** Creates the finding of a check that is skipped because another check failed. */
export function skippedFindingFor(other: Check['id']): Finding {
  return skippedFinding(`Skipped: see “${other}”.`);
}

/** Returns an address without the parts that may contain secrets: user, query and fragment. */
export function plainAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * Returns an external text if it has the expected format. Other text of a host page or a proxy must
 * not get into the report.
 */
export function matchingText(text: string | null | undefined, format: RegExp): string | undefined {
  return text && format.test(text) ? text : undefined;
}

/**
 * Returns the fields of an error without its message, which may come from the host page and quote
 * secrets.
 */
export function factsOf({ code, status, requestId }: InlayError) {
  return omitUndefined<Record<string, string | number>>({
    code: matchingText(code, /^[A-Z][A-Z_]{1,48}$/),
    status: status ?? undefined,
    requestId: matchingText(requestId, /^[\w-]{1,64}$/),
  });
}

/** Formats a duration in its largest suitable unit, such as `3 minutes`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** The result of an attempt: a value or an error. */
type Outcome<Value> =
  | { readonly value: Value; readonly error: null }
  | { readonly value: null; readonly error: InlayError };

/** Runs an action and returns its error as a value. Throws errors that end the diagnosis. */
export async function tryAction<Value>(action: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await action(), error: null };
  } catch (error) {
    if (!isInlayError(error) || endingCodes.has(error.code)) throw error;
    return { value: null, error };
  }
}

/** Codes of errors that end the diagnosis. */
const endingCodes: ReadonlySet<string> = new Set(['ABORTED', 'CLOSED', 'SUBJECT_CHANGED']);
