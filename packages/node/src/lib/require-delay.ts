import { PlatformError } from './platform-error.ts';

/** Maximum delay of timers in milliseconds. A timer with a larger delay fires immediately. */
export const maximumDelayMs = 2_147_483_647;

/**
 * Returns the value of an option that is the delay of a timer.
 *
 * @throws PlatformError `INVALID_OPTION`
 */
export function requireDelay(name: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 1 && ms <= maximumDelayMs) return ms;
  throw new PlatformError(
    'INVALID_OPTION',
    `\`${name}\` must be a number from 1 to ${maximumDelayMs}, in milliseconds. It is ${ms}. Omit it to use the default.`,
  );
}
