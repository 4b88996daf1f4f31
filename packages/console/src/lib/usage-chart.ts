import type { CardBlock, UsageRow } from '@inlay/protocol';
import { type Amount, daysOf } from './usage-report.ts';
import { nameOf, type Report } from './usage-table.ts';

type Chart = Extract<CardBlock, { type: 'chart' }>;

/** Maximum lines of a chart, which has a pattern for each. */
const maximumLines = 6;
/** Maximum bars of a chart. */
const maximumBars = 12;

const dayFormat = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/**
 * Returns the chart of an amount: a line for each name if the report is by several days, otherwise a bar
 * for each row.
 */
export function chartOf(report: Report, amount: Amount): Chart {
  const unit = amount.name === 'spent_cents' ? '¢' : amount.name.includes('_ms_') ? 's' : '';
  const chart = report.by.includes('day') ? linesOf(report, amount) : barsOf(report, amount);
  return { type: 'chart', ...chart, ...(unit && { unit }) };
}

function plotted(row: UsageRow, amount: Amount): number | null {
  const value = amount.read(row);
  return value !== null && amount.name.includes('_ms_') ? value / 1000 : value;
}

/** The lines with the largest sums. */
function linesOf(
  { by, names, range, rows }: Report,
  amount: Amount,
): Pick<Chart, 'kind' | 'labels' | 'series'> {
  const other = by.find((group) => group !== 'day');
  const lines = new Map<string, Map<string, number | null>>();
  for (const row of rows) {
    const label = other ? nameOf(row, other, names) : amount.label;
    const line = lines.get(label) ?? new Map<string, number | null>();
    lines.set(label, line.set(row.day ?? '', plotted(row, amount)));
  }
  const sumOf = (line: ReadonlyMap<string, number | null>) =>
    [...line.values()].reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const largest = [...lines].sort(([, a], [, b]) => sumOf(b) - sumOf(a)).slice(0, maximumLines);
  const days = daysOf(range);
  // A day without a row has no messages, and no time of an answer.
  const missing = amount.name.includes('_ms_') ? null : 0;
  return {
    // A line needs two points.
    kind: days.length === 1 ? 'bar' : 'line',
    labels: days.map((day) => dayFormat.format(new Date(day))),
    series: largest.map(([label, line]) => ({
      label,
      values: days.map((day) => (line.has(day) ? (line.get(day) ?? null) : missing)),
    })),
  };
}

/** The largest bars. */
function barsOf(
  { by, names, rows }: Report,
  amount: Amount,
): Pick<Chart, 'kind' | 'labels' | 'series'> {
  const labelOf = (row: UsageRow) => by.map((group) => nameOf(row, group, names)).join(', ');
  const bars = rows
    .map((row) => ({ label: labelOf(row), value: plotted(row, amount) }))
    .filter(({ value }) => value !== null && value > 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
    .slice(0, maximumBars);
  return {
    kind: 'bar',
    labels: bars.map(({ label }) => label),
    series: [{ label: amount.label, values: bars.map(({ value }) => value) }],
  };
}
