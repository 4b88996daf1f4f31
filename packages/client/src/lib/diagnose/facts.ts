import type { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';

/** Returns an address without the parts that may have secrets: user, query and fragment. */
export function plainAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * Returns an external text if it has the expected format, so that the report has no other text of a
 * host or a proxy.
 */
export function shaped(text: string | null | undefined, shape: RegExp): string | undefined {
  return text && shape.test(text) ? text : undefined;
}

/**
 * Returns the fields of an error without its message, which may be the host's and quote secrets.
 */
export function factsOf({ code, status, requestId }: InlayError) {
  return omitUndefined<Record<string, string | number>>({
    code: shaped(code, /^[A-Z][A-Z_]{1,48}$/),
    status: status ?? undefined,
    requestId: shaped(requestId, /^[\w-]{1,64}$/),
  });
}

/** Formats a time in seconds. */
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

/** Whether an address is one of this machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
