import type { Strings } from './strings.ts';

/** Formats a duration: `1 s`, `2 min 5 s`. The minimum is one second. */
export function duration(strings: Strings, milliseconds: number): string {
  const total = Math.max(1, Math.round(milliseconds / 1000));
  const unit = (value: number, name: 'minute' | 'second') =>
    new Intl.NumberFormat(strings.locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
    })
      .format(value)
      // English and Dutch write “sec”; the SI symbol is the usual one beside “min”.
      .replace('sec', 's');

  const minutes = Math.floor(total / 60);
  const seconds = total % 60;
  const parts = [
    ...(minutes > 0 ? [unit(minutes, 'minute')] : []),
    ...(seconds > 0 || minutes === 0 ? [unit(seconds, 'second')] : []),
  ];
  return new Intl.ListFormat(strings.locale, { type: 'unit', style: 'narrow' }).format(parts);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a file size, such as `1.2 MB`. */
export function sizeOf(strings: Strings, bytes: number): string {
  const unitIndex = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(strings.locale, {
    style: 'unit',
    unit: units[unitIndex] ?? 'byte',
    unitDisplay: unitIndex === 0 ? 'long' : 'short',
    maximumFractionDigits: unitIndex > 1 ? 1 : 0,
  }).format(bytes / 1000 ** unitIndex);
}
