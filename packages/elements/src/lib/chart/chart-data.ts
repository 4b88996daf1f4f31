import type { CardBlock } from '@inlay/protocol';
import type { Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';

export type ChartBlock = Extract<CardBlock, { type: 'chart' }>;

/** Maximum number of slices of a pie. If there are more, the smallest are combined into one. */
const maxSlices = 6;

export interface Slice {
  readonly label: string;
  readonly value: number;
  /** Share of the total, from 0 to 1. */
  readonly share: number;
}

/** Returns a value of a series; null if it is missing or not a finite number. */
export function valueAt(series: ChartBlock['series'][number], index: number): number | null {
  const value = series.values[index];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Returns all values of a chart, without missing values. */
export function valuesOf({ labels, series }: ChartBlock): number[] {
  return series.flatMap((each) =>
    labels.map((_, index) => valueAt(each, index)).filter((value) => value !== null),
  );
}

/** Returns the slices of a pie, the largest first, without values of 0 or less. */
export function slicesOf({ labels, series }: ChartBlock, strings: Strings): Slice[] {
  const [first] = series;
  const sorted = labels
    .map((label, index) => ({ label, value: first ? (valueAt(first, index) ?? 0) : 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const total = sorted.reduce((sum, { value }) => sum + value, 0);
  const hasOther = sorted.length > maxSlices;
  const shownSlices = hasOther ? sorted.slice(0, maxSlices - 1) : sorted;
  const rest = total - shownSlices.reduce((sum, { value }) => sum + value, 0);
  const slices = hasOther
    ? [...shownSlices, { label: strings.chartOther, value: rest }]
    : shownSlices;
  return slices.map((slice) => ({ ...slice, share: slice.value / total }));
}

/** Formatters for the numbers of a chart. */
export interface NumberFormats {
  /** All digits, with the unit. */
  readonly full: (value: number) => string;
  /** Compact notation for axes, with the unit if it is short. */
  readonly short: (value: number) => string;
  /** A share from 0 to 1, as a percentage. */
  readonly share: (value: number) => string;
}

/** Creates the formatters for a chart's unit in the language of the page. */
export function numberFormats({ unit = '' }: ChartBlock, { locale }: Strings): NumberFormats {
  const full = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  // Signs such as % follow the number directly, other units after a space.
  const suffix = unit && (/^[%°′″'"]$/.test(unit) ? unit : `\u00a0${unit}`);
  return {
    full: (value) => `${full.format(value)}${suffix}`,
    short: (value) => `${short.format(value)}${suffix.length < 4 ? suffix : ''}`,
    share: (value) => share.format(value),
  };
}

const kindNames = { bar: 'chartBar', line: 'chartLine', pie: 'chartPie' } as const;

/** Text alternative of a chart: its kind, and its slices or the minimum and maximum of each series. */
export function summaryOf(chart: ChartBlock, strings: Strings): string {
  const { full, share } = numberFormats(chart, strings);
  const parts =
    chart.kind === 'pie'
      ? slicesOf(chart, strings).map((slice) =>
          format(strings.chartShare, {
            label: slice.label,
            value: full(slice.value),
            share: share(slice.share),
          }),
        )
      : chart.series.map((each) => rangeOf(chart, each, full, strings));
  const sentences = parts.filter(Boolean);
  const content = sentences.length > 0 ? sentences : [strings.chartEmpty];
  return [`${strings[kindNames[chart.kind]]}.`, ...content].join(' ');
}

function rangeOf(
  { labels }: ChartBlock,
  series: ChartBlock['series'][number],
  full: NumberFormats['full'],
  strings: Strings,
): string {
  const known = labels.flatMap((label, index) => {
    const value = valueAt(series, index);
    return value === null ? [] : [{ label, value }];
  });
  const [low] = [...known].sort((a, b) => a.value - b.value);
  const [high] = [...known].sort((a, b) => b.value - a.value);
  if (!low || !high) return '';
  return format(strings.chartRange, {
    series: series.label,
    min: full(low.value),
    minLabel: low.label,
    max: full(high.value),
    maxLabel: high.label,
  });
}
