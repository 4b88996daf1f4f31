import type { CardBlock } from '@inlay/protocol';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';

export type ChartBlock = Extract<CardBlock, { type: 'chart' }>;

/** Slices of a pie that can be told apart; smaller ones are taken together. */
const mostSlices = 6;

export interface Slice {
  readonly label: string;
  readonly value: number;
  /** Of the whole, from 0 to 1. */
  readonly share: number;
}

/** A value, or null for none: what is no number is none. */
export function valueAt(series: ChartBlock['series'][number], index: number): number | null {
  const value = series.values[index];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function valuesOf({ labels, series }: ChartBlock): number[] {
  return series.flatMap((each) =>
    labels.map((_, index) => valueAt(each, index)).filter((value) => value !== null),
  );
}

/** The parts of a pie, the largest first. A part of nothing, or less, has no size. */
export function slicesOf({ labels, series }: ChartBlock, strings: Strings): Slice[] {
  const [first] = series;
  const parts = labels
    .map((label, index) => ({ label, value: first ? (valueAt(first, index) ?? 0) : 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  const isMany = parts.length > mostSlices;
  const shown = isMany ? parts.slice(0, mostSlices - 1) : parts;
  const rest = whole - shown.reduce((sum, { value }) => sum + value, 0);
  const slices = isMany ? [...shown, { label: strings.chartOther, value: rest }] : shown;
  return slices.map((slice) => ({ ...slice, share: slice.value / whole }));
}

/** How the numbers of a chart are written. */
export interface Numbers {
  /** In full, with the unit. */
  readonly full: (value: number) => string;
  /** Short, as on an axis. */
  readonly short: (value: number) => string;
  readonly share: (value: number) => string;
}

export function numbersFor({ unit = '' }: ChartBlock, { locale }: Strings): Numbers {
  const full = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  // Signs stand close, words and symbols apart.
  const tail = unit && (/^[%°′″'"]$/.test(unit) ? unit : `\u00a0${unit}`);
  return {
    full: (value) => `${full.format(value)}${tail}`,
    short: (value) => `${short.format(value)}${tail.length < 4 ? tail : ''}`,
    share: (value) => share.format(value),
  };
}

const kinds = { bar: 'chartBar', line: 'chartLine', pie: 'chartPie' } as const;

/** What a chart shows, for those who do not see it: what it is, and the ends of what it spans. */
export function summaryOf(chart: ChartBlock, strings: Strings): string {
  const { full, share } = numbersFor(chart, strings);
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
  const words = parts.filter(Boolean);
  return [`${strings[kinds[chart.kind]]}.`, ...(words.length ? words : [strings.chartEmpty])].join(
    ' ',
  );
}

function rangeOf(
  { labels }: ChartBlock,
  series: ChartBlock['series'][number],
  full: Numbers['full'],
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
