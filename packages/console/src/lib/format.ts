import { html, nothing } from 'lit';

const language = 'en';
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
const whole = new Intl.NumberFormat(language);
const compact = new Intl.NumberFormat(language, {
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const short = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });

/** Units with their milliseconds, and up to how many of them a time is relative. */
const units = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 7],
] as const;

/** A time as “5 min. ago”, with the exact one as its title. */
export function viewOfTime(iso: string | null | undefined) {
  if (!iso) return nothing;
  const time = new Date(iso);
  return html`<time datetime=${iso} title=${exact.format(time)}>${describeTime(time)}</time>`;
}

function describeTime(time: Date): string {
  const age = Date.now() - time.getTime();
  if (Math.abs(age) < 60_000) return 'now';
  for (const [unit, milliseconds, maximum] of units) {
    const count = Math.trunc(age / milliseconds);
    if (Math.abs(count) < maximum) return relative.format(-count, unit);
  }
  return date.format(time);
}

/** An amount of money with three significant digits. */
export function formatCents(amount: number): string {
  return amount === 0 ? '–' : `${short.format(amount)} ¢`;
}

/** A time in milliseconds, as seconds; a dash without one. */
export function formatMilliseconds(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `${short.format(milliseconds / 1000)} s`;
}

export function formatCount(count: number): string {
  return whole.format(count);
}

/** A large count with three significant digits, such as “1.17M”. */
export function formatLargeCount(count: number): string {
  return compact.format(count);
}
