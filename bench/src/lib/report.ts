import type { Row } from './row.ts';

/** Outcome of a figure: its result, or the reason of its failure. */
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
  /** Options that differ from the defaults. */
  settings: string;
  figures: readonly Outcome[];
}

export function toMarkdown({ machine, settings, figures }: Report): string {
  const parts = [`${machine}\n${settings}`, ...figures.map(section)];
  return `${parts.join('\n\n')}\n`;
}

function section({ name, title, rows, notes, failure }: Outcome): string {
  const heading = `## ${name}: ${title}`;
  if (failure !== null) return `${heading}\n\n**NOT TAKEN.** ${failure}`;
  const list = notes.map((note) => `- ${note}`).join('\n');
  return [heading, table(rows), list].filter(Boolean).join('\n\n');
}

function table(rows: readonly Row[]): string {
  return [
    '| what | ours | floor | ratio | of the rounds | target | |',
    '|---|---:|---:|---:|---:|---|---|',
    ...rows.map(line),
  ].join('\n');
}

function line({ what, unit, ours, floor, ratio, spread, target, met }: Row): string {
  const cells = [
    what,
    quantity(ours, unit),
    floor === null ? '–' : quantity(floor, unit),
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

/** Rounds to three significant digits, or to an integer if that has more digits. */
export function round(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
