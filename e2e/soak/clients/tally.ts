/** What has been done and found so far. */
export interface Tally {
  conversations: number;
  messages: number;
  answers: number;
  /** Answers that the person stopped. */
  stops: number;
  /** Conversations that were closed and opened again in the same page. */
  reopened: number;
  /** Pages that were loaded anew. */
  reloads: number;
  tabs: number;
  /** Messages that failed and were sent again by the person, by the error. */
  retries: Record<string, number>;
  /** Conversations that had ended with an error, and that the person opened again for that. */
  revived: Record<string, number>;
  /** Times that a person had to ask for a token, by what kept them from having one. */
  reconnects: Record<string, number>;
  /** Messages that a page load took away: before it is known who the person is, nothing is kept. */
  forgotten: number;
  /** Tokens that replaced another. */
  refreshes: number;
  revocations: number;
  /** What clients said of themselves, by its type. */
  diagnostics: Record<string, number>;
  /** What must not be: each in a sentence. */
  lost: string[];
  doubled: string[];
  /** Shown otherwise than the log says. */
  wrong: string[];
  /** In the log in another order than it was said. */
  disordered: string[];
  /** Never came to rest. */
  stuck: string[];
  /** Thrown where nothing may throw. */
  errors: string[];
  /** For whoever looks into what was shown wrongly or stuck: the first few, with all there is to them. */
  evidence: Evidence[];
}

export interface Evidence {
  name: string;
  /** What the person did. */
  story: readonly string[];
  shown: readonly string[];
  /** What somebody sees who comes anew; empty where nobody came. */
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
    revived: {},
    reconnects: {},
    forgotten: 0,
    refreshes: 0,
    revocations: 0,
    diagnostics: {},
    lost: [],
    doubled: [],
    wrong: [],
    disordered: [],
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
    addCounts(sum.revived, tally.revived);
    addCounts(sum.reconnects, tally.reconnects);
  }
  return sum;
}

function addCounts(sum: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

const mostEvidence = 10;

export function keepEvidence(tally: Tally, evidence: Evidence): void {
  if (tally.evidence.length < mostEvidence) tally.evidence.push(evidence);
}

export function countIn(counts: Record<string, number>, name = 'unknown'): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
