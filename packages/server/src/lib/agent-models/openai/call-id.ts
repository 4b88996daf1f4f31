import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Length that Mistral demands: `^[a-zA-Z0-9]{9}$`. */
const length = 9;

/**
 * Derives the id of a call for the provider from the id of its event. The same event always has the
 * same id, in all processes.
 */
export function callIdOf(eventId: string): string {
  const hash = createHash('sha256').update(eventId).digest();
  return [...hash.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
