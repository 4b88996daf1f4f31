import type { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';

/** Returns an address without the parts that may have secrets: user, query and fragment. */
export function plainAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * Returns an external text if it has the expected format. Other text of a host page or a proxy must
 * not get into the report.
 */
export function matching(text: string | null | undefined, format: RegExp): string | undefined {
  return text && format.test(text) ? text : undefined;
}

/**
 * Returns the fields of an error without its message, which may come from the host page and quote
 * secrets.
 */
export function factsOf({ code, status, requestId }: InlayError) {
  return omitUndefined<Record<string, string | number>>({
    code: matching(code, /^[A-Z][A-Z_]{1,48}$/),
    status: status ?? undefined,
    requestId: matching(requestId, /^[\w-]{1,64}$/),
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
