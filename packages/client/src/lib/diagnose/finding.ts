import type { Check } from './report.ts';

/** The finding of one check. */
export type Finding = Omit<Check, 'id'>;
type Facts = Check['facts'];

export function ok(cause: string, facts: Facts = {}): Finding {
  return { outcome: 'ok', cause, remedy: null, facts };
}

export function failed(cause: string, remedy: string, facts: Facts = {}): Finding {
  return { outcome: 'failed', cause, remedy, facts };
}

export function warning(cause: string, remedy: string, facts: Facts = {}): Finding {
  return { outcome: 'warning', cause, remedy, facts };
}

export function skipped(cause: string): Finding {
  return { outcome: 'skipped', cause, remedy: null, facts: {} };
}

/** Creates the finding of a check that is skipped because another one failed. */
export function skippedFor(other: Check['id']): Finding {
  return skipped(`Skipped: see “${other}”.`);
}
