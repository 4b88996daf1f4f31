import type { Counts } from '../../fault-proxy/fault-proxy.ts';
import type { Tally } from '../clients/tally.ts';
import { type Metric, rule } from './metrics.ts';

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
  /** Error lines of the server's log. */
  serverErrors: string[];
  metrics: Metric[];
}

/** Maximum number of findings in the Markdown. The JSON has all. */
const maxShownFindings = 20;

/**
 * Lists the findings that fail the run. Reordered messages are not among them, because several tabs
 * may send at the same time.
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
      ({ name, early, late }) => `grew: ${name}, from ${round(early)} to ${round(late)}`,
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
      `${count(tally.messages)} messages in ${count(tally.conversations)} conversations; ${count(tally.answers)} complete answers, ${count(tally.stops)} stopped by the user`,
      `${count(tally.reopened)} conversations opened again, ${count(tally.reloads)} page loads (${tally.notStored} messages not stored), ${count(tally.tabs)} tabs; sent again by the user: ${pairs(tally.retries)}; opened again after an error: ${pairs(tally.recovered)}; reconnected: ${pairs(tally.reconnects)}`,
      `${count(tally.refreshes)} tokens replaced, ${count(tally.revocations)} revoked`,
      `${count(cutCount)} connections cut (${cuts['half-open']} half-open, ${cuts.reset} reset, ${cuts.fin} closed), ${count(network.refused)} refused while offline, ${count(network.requests)} requests on ${count(network.connections)} connections`,
      `server restarts: ${restarts.join(', ') || 'none'}; error lines in its log: ${report.serverErrors.length}`,
      `diagnostics of the clients: ${pairs(tally.diagnostics)}`,
      `injected faults: ${pairs(faults)}`,
    ]),
    table(
      ['snapshot', 'second quarter', 'last quarter', 'at most', ''],
      report.metrics.map(({ name, unit, early, late, limit, isFlat }) => [
        name,
        `${round(early)} ${unit}`.trim(),
        `${round(late)} ${unit}`.trim(),
        limit === null ? '–' : `${round(limit)} ${unit}`.trim(),
        isFlat === null ? 'no limit' : isFlat ? 'flat' : '**grew**',
      ]),
    ),
    rule,
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
const count = (value: number) => value.toLocaleString('en-GB');
const round = (value: number) =>
  value >= 100 ? count(Math.round(value)) : String(Math.round(value * 10) / 10);

function pairs(counts: Record<string, number>): string {
  const entries = Object.entries(counts);
  if (entries.length === 0) return 'none';
  return entries
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name} ${count(value)}`)
    .join(', ');
}
