import type { DiagnosisReport } from './report.ts';

/** Formats a report as plain text, for a bug report. */
export function asText({
  checkedAt,
  page,
  platform,
  checks,
}: Omit<DiagnosisReport, 'text'>): string {
  const width = Math.max(...checks.map(({ id }) => id.length)) + 'warning'.length + 2;
  const lines = checks.flatMap(({ id, outcome, cause, remedy, facts }) => {
    const label = `${outcome.padEnd(8)} ${id}`.padEnd(width);
    const measurements = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
    return [
      `${label} ${cause}`,
      ...(remedy ? [`${' '.repeat(width)} → ${remedy}`] : []),
      ...(measurements.length > 0 ? [`${' '.repeat(width)} (${measurements.join(', ')})`] : []),
    ];
  });
  return [
    `Inlay diagnosis of ${checkedAt}`,
    `Page ${page ?? 'none'}, platform ${platform || 'none'}`,
    `Browser ${globalThis.navigator?.userAgent ?? 'none'}`,
    '',
    ...lines,
  ].join('\n');
}
