import type { Row } from './row.ts';

/** Outcome of a benchmark: its result, or the reason of its failure. */
export interface Outcome {
  name: string;
  title: string;
  rows: readonly Row[];
  notes: readonly string[];
  /** Error message; null on success. */
  failure: string | null;
}

export interface Report {
  machine: string;
  /** Options of the run, in one line. */
  settings: string;
  benchmarks: readonly Outcome[];
}

export function toMarkdown({ machine, settings, benchmarks }: Report): string {
  const parts = [`${machine}\n${settings}`, ...benchmarks.map(section)];
  return `${parts.join('\n\n')}\n`;
}

function section({ name, title, rows, notes, failure }: Outcome): string {
  const heading = `## ${name}: ${title}`;
  if (failure !== null) return `${heading}\n\n**FAILED.** ${failure}`;
  const list = notes.map((note) => `- ${note}`).join('\n');
  return [heading, table(rows), list].filter(Boolean).join('\n\n');
}

function table(rows: readonly Row[]): string {
  return [
    '| metric | measured | baseline | ratio | range | target | result |',
    '|---|---:|---:|---:|---:|---|---|',
    ...rows.map(line),
  ].join('\n');
}

function line({ metric, unit, measured, baseline, ratio, spread, target, met }: Row): string {
  const cells = [
    metric,
    quantity(measured, unit),
    baseline === null ? '–' : quantity(baseline, unit),
    ratio === null ? '–' : `${round(ratio)}×`,
    spread === null ? '–' : `${round(spread[0])} to ${round(spread[1])}`,
    target ?? '',
    met === null ? '' : met ? 'met' : '**missed**',
  ];
  return `| ${cells.join(' | ')} |`;
}

function quantity(value: number, unit: string): string {
  return unit ? `${round(value)} ${unit}` : round(value);
}

/** Rounds to three significant digits, and numbers from 100 to integers. */
export function round(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
