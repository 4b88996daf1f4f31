/** Counters and findings of the run. */
export interface Tally {
  conversations: number;
  messages: number;
  answers: number;
  /** Answers that the user stopped. */
  stops: number;
  /** Conversations that were closed and opened again in the same page. */
  reopened: number;
  reloads: number;
  tabs: number;
  /** Failed messages that the user sent again, by error code. */
  retries: Record<string, number>;
  /** Conversations that the user opened again after an error, by error code. */
  recovered: Record<string, number>;
  /** Reconnects by the user, by error code. */
  reconnects: Record<string, number>;
  /** Messages that a page load lost, because nothing is stored before the user is known. */
  notStored: number;
  refreshes: number;
  revocations: number;
  /** Diagnostics of the clients, by type. */
  diagnostics: Record<string, number>;
  /** Messages that are not in the log. */
  lost: string[];
  duplicated: string[];
  /** Pages that differ from the log, and logs with messages that were not sent. */
  wrong: string[];
  /** Messages that were logged in another order than they were sent. */
  reordered: string[];
  /** Conversations that were not idle and complete within the time limit. */
  stuck: string[];
  /** Unexpected exceptions. */
  errors: string[];
  /** Details of the first findings. */
  evidence: Evidence[];
}

export interface Evidence {
  name: string;
  /** Actions of the user and diagnostics of the client. */
  history: readonly string[];
  shown: readonly string[];
  /** Entries of a fresh client; empty if there was none. */
  wanted: readonly string[];
  log: readonly object[];
}

export function createTally(): Tally {
  return {
    conversations: 0,
    messages: 0,
    answers: 0,
    stops: 0,
    reopened: 0,
    reloads: 0,
    tabs: 0,
    retries: {},
    recovered: {},
    reconnects: {},
    notStored: 0,
    refreshes: 0,
    revocations: 0,
    diagnostics: {},
    lost: [],
    duplicated: [],
    wrong: [],
    reordered: [],
    stuck: [],
    errors: [],
    evidence: [],
  };
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = createTally();
  for (const tally of tallies) {
    for (const [name, value] of Object.entries(tally) as [keyof Tally, unknown][]) {
      const total = sum[name];
      if (typeof value === 'number') Object.assign(sum, { [name]: Number(total) + value });
      else if (Array.isArray(value) && Array.isArray(total)) total.push(...value);
    }
    addCounts(sum.diagnostics, tally.diagnostics);
    addCounts(sum.retries, tally.retries);
    addCounts(sum.recovered, tally.recovered);
    addCounts(sum.reconnects, tally.reconnects);
  }
  return sum;
}

function addCounts(sum: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

const maxEvidence = 10;

export function addEvidence(tally: Tally, evidence: Evidence): void {
  if (tally.evidence.length < maxEvidence) tally.evidence.push(evidence);
}

export function countIn(counts: Record<string, number>, name = 'unknown'): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
