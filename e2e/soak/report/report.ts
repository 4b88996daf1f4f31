import type { Counts } from '../../fault-proxy/fault-proxy.ts';
import type { Tally } from '../clients/tally.ts';
import { growthRule, type Metric } from './metrics.ts';

export interface Report {
  machine: string;
  minutes: number;
  clients: number;
  /** Why the run was aborted; null if it was completed. */
  failure: string | null;
  tally: Tally;
  /** Number of injected faults by kind. */
  faults: Record<string, number>;
  restarts: string[];
  network: Counts;
  /** Errors and warnings in the server's log. */
  serverErrors: string[];
  metrics: Metric[];
}

/** Maximum number of findings in the Markdown. The JSON has all. */
const maxShownFindings = 20;

/**
 * Lists the findings that fail the run. Reordered messages do not fail it, because no part of the
 * conversation is missing.
 */
export function findingsOf({ failure, tally, metrics }: Report): string[] {
  const grown = metrics.filter(({ isFlat }) => isFlat === false);
  return [
    ...(failure === null ? [] : [failure]),
    ...(tally.conversations === 0 ? ['no conversation was completed'] : []),
    ...tally.lost.map((text) => `lost: ${text}`),
    ...tally.duplicated.map((text) => `duplicated: ${text}`),
    ...tally.wrong.map((text) => `shown wrongly: ${text}`),
    ...tally.stuck.map((text) => `stuck: ${text}`),
    ...tally.errors.map((text) => `error: ${text}`),
    ...grown.map(
      ({ name, early, late }) =>
        `grew: ${name}, from ${formatNumber(early)} to ${formatNumber(late)}`,
    ),
  ];
}

export function toMarkdown(report: Report): string {
  const { machine, minutes, clients, tally, faults, network, restarts } = report;
  const findings = findingsOf(report);
  const showsGrowth = report.metrics.some(({ isFlat }) => isFlat !== null);
  const { cuts } = network;
  const cutCount = cuts['half-open'] + cuts.reset + cuts.fin;
  return [
    `# Soak: ${minutes} minutes, ${clients} clients`,
    machine,
    table(
      ['lost', 'duplicated', 'shown wrongly', 'in another order', 'never came to rest', 'errors'],
      [
        [tally.lost, tally.duplicated, tally.wrong, tally.reordered, tally.stuck, tally.errors].map(
          ({ length }) => length,
        ),
      ],
    ),
    list([
      `${formatCount(tally.messages)} messages in ${formatCount(tally.conversations)} conversations; ${formatCount(tally.answers)} complete answers, ${formatCount(tally.stops)} stopped by the user`,
      `${formatCount(tally.reopened)} conversations opened again, ${formatCount(tally.reloads)} page loads (${tally.notStored} messages not stored), ${formatCount(tally.tabs)} tabs; sent again by the user: ${formatCounts(tally.retries)}; opened again after an error: ${formatCounts(tally.recovered)}; reconnected: ${formatCounts(tally.reconnects)}`,
      `${formatCount(tally.refreshes)} tokens replaced, ${formatCount(tally.revocations)} revoked`,
      `${formatCount(cutCount)} connections cut (${cuts['half-open']} half-open, ${cuts.reset} reset, ${cuts.fin} closed), ${formatCount(network.refused)} refused while offline, ${formatCount(network.requests)} requests on ${formatCount(network.connections)} connections`,
      `server restarts: ${restarts.join(', ') || 'none'}; errors and warnings in its log: ${report.serverErrors.length}`,
      `diagnostics of the clients: ${formatCounts(tally.diagnostics)}`,
      `injected faults: ${formatCounts(faults)}`,
    ]),
    table(
      ['snapshot', 'second quarter', 'last quarter', 'at most', ''],
      report.metrics.map(({ name, unit, early, late, limit, isFlat }) => [
        name,
        `${formatNumber(early)} ${unit}`.trim(),
        `${formatNumber(late)} ${unit}`.trim(),
        limit === null ? '–' : `${formatNumber(limit)} ${unit}`.trim(),
        isFlat === null ? 'no limit' : isFlat ? 'flat' : '**grew**',
      ]),
    ),
    growthRule,
    ...(tally.reordered.length === 0
      ? []
      : [
          `Logged in another order than sent:\n\n${list(tally.reordered.slice(0, maxShownFindings))}`,
        ]),
    findings.length === 0
      ? `Nothing was lost or duplicated. ${showsGrowth ? 'Nothing grew.' : 'The run was too short to detect growth.'}`
      : `**${findings.length} findings**\n\n${list(findings.slice(0, maxShownFindings))}`,
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
const formatCount = (value: number) => value.toLocaleString('en-GB');
const formatNumber = (value: number) =>
  value >= 100 ? formatCount(Math.round(value)) : String(Math.round(value * 10) / 10);

function formatCounts(counts: Record<string, number>): string {
  const entries = Object.entries(counts);
  if (entries.length === 0) return 'none';
  return entries
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name} ${formatCount(value)}`)
    .join(', ');
}
