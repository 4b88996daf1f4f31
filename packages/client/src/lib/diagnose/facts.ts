import type { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';

/** An address without what may hold a secret: its user, its query, its fragment. */
export function plainAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * A text from outside as a fact, if it looks like what it should be. Whatever else a host or a proxy
 * wrote there has no business in a report.
 */
export function shaped(text: string | null | undefined, shape: RegExp): string | undefined {
  return text && shape.test(text) ? text : undefined;
}

/** What an error says without its sentence, which may be the host's and quote anything. */
export function factsOf({ code, status, requestId }: InlayError) {
  return omitUndefined<Record<string, string | number>>({
    code: shaped(code, /^[A-Z][A-Z_]{1,48}$/),
    status: status ?? undefined,
    requestId: shaped(requestId, /^[\w-]{1,64}$/),
  });
}

/** Seconds as people say them. */
export function spoken(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Whether an address is one of this very machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
