import { setImmediate } from 'node:timers/promises';
import { expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Position } from '../http/paging.ts';
import type { TakeReadBytes } from '../limits/read-bytes.ts';
import { inList } from '../store/in-list.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

/** Sessions read first; each further batch has ten times as many, up to `maximumBatch`. */
const firstBatch = 100;
/** Bytes of logs that one SQL query searches. Between queries, the server handles other requests. */
const stepBytes = 1_048_576;
/** Texts of a large session that one SQL query searches. By default, a text has 64 Ki characters. */
const textsPerStep = 16;
/** Bytes that are added to the log of each session, for the cost of reading its row. */
const sessionBytes = 1_024;

/** The columns that a scan reads of a session. */
export const scannedColumns = ['id', 'active_at', 'log_bytes'] as const;
export type ScannedSession = Pick<SessionsTable, (typeof scannedColumns)[number]>;

/** One page of search results. */
export interface SearchResult<Row = SessionsTable> {
  readonly rows: readonly Row[];
  /** Position of the last session that was searched; null if all sessions were searched. */
  readonly next: Position | null;
}

/** The texts that are searched for. */
export interface TextMatcher {
  /** Parts that a text must contain. */
  readonly parts: readonly string[];
  /** Whether a text that contains all parts matches; by default, it does. */
  readonly isMatch?: ((text: string) => boolean) | undefined;
}

export interface Scan<Row extends ScannedSession> {
  readonly db: Kysely<Schema>;
  /** Reads sessions after a position, newest first. A page with fewer than `limit` sessions is the last. */
  readonly list: (position: Position | null, limit: number) => Promise<SearchResult<Row>>;
  /** Maximum sessions that are read at a time. */
  readonly maximumBatch: number;
  readonly matcher: TextMatcher;
  readonly position: Position | null;
  /** Maximum sessions that are found. */
  readonly limit: number;
  /** Maximum bytes of logs that are searched. */
  readonly bytes: number;
  /**
   * Counts the bytes of the logs before they are searched. If it rejects after the first of them, the
   * page ends there.
   */
  readonly takeBytes: TakeReadBytes;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Searches the texts of sessions, newest first, in steps that do not block the event loop for long.
 *
 * @returns The sessions that were found, and the position from which the next request continues.
 */
export async function scanSessions<Row extends ScannedSession>(
  scan: Scan<Row>,
): Promise<SearchResult<Row>> {
  const { position, limit, takeBytes, signal } = scan;
  const rows: Row[] = [];
  let remainingBytes = scan.bytes;
  let next = position;
  for (let size = firstBatch; ; size = Math.min(size * 10, scan.maximumBatch)) {
    const batch = await scan.list(next, size);
    for (const step of stepsOf(batch.rows)) {
      if (signal.aborted) return { rows, next };
      try {
        await takeBytes(sizeOf(step));
      } catch (error) {
        if (next === position) throw error;
        return { rows, next };
      }
      const hits = await findMatches(scan, step);
      for (const row of step) {
        if (!hits.has(row.id)) continue;
        if (rows.length === limit) return { rows, next: positionOf(rows.at(-1)) };
        rows.push(row);
      }
      next = positionOf(step.at(-1));
      remainingBytes -= sizeOf(step);
      if (remainingBytes <= 0) return { rows, next };
      await setImmediate();
    }
    if (batch.rows.length < size) return { rows, next: batch.next };
  }
}

/** Returns the ids of the sessions whose title or messages match. */
async function findMatches(
  { db, matcher: { parts, isMatch } }: Pick<Scan<ScannedSession>, 'db' | 'matcher'>,
  sessions: readonly ScannedSession[],
): Promise<ReadonlySet<string>> {
  const [first] = sessions;
  if (first && sizeOf(sessions) > stepBytes) {
    return new Set((await hasMatch(db, first.id, { parts, isMatch })) ? [first.id] : []);
  }
  const ids = inList(
    db,
    sessions.map(({ id }) => id),
  );
  const matching = db
    .selectFrom('session_texts')
    .where(sql<SqlBool>`session_id in ${ids}`)
    .where(contains(parts));
  const rows = isMatch
    ? (await matching.select(['session_id', 'text']).execute()).filter(({ text }) => isMatch(text))
    : await matching.select('session_id').distinct().execute();
  return new Set(rows.map((row) => row.session_id));
}

/** Searches a session whose log is larger than a step, in steps of its texts. */
async function hasMatch(
  db: Kysely<Schema>,
  sessionId: string,
  { parts, isMatch = () => true }: TextMatcher,
): Promise<boolean> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('session_texts')
      .select(['seq', sql<string | null>`case when ${contains(parts)} then text end`.as('text')])
      .where('session_id', '=', sessionId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(textsPerStep)
      .execute();
    if (rows.some(({ text }) => text !== null && isMatch(text))) return true;
    const last = rows.at(textsPerStep - 1);
    if (!last) return false;
    after = Number(last.seq);
    await setImmediate();
  }
}

/**
 * SQL condition of the texts that contain all parts. Uses `instr`, because `like` blocks the event loop
 * for seconds with repetitive patterns.
 */
function contains(parts: readonly string[]): RawBuilder<SqlBool> {
  const { fn, val } = expressionBuilder<Schema, 'session_texts'>();
  const conditions = parts.map((part) => sql`${fn<number>('instr', ['text', val(part)])} > 0`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** Splits sessions into groups with at most `stepBytes` of logs; a larger session is a group alone. */
function stepsOf<Row extends ScannedSession>(rows: readonly Row[]): Row[][] {
  const steps: Row[][] = [];
  let size = 0;
  for (const row of rows) {
    const step = steps.at(-1);
    size += sizeOf([row]);
    if (step && size <= stepBytes) {
      step.push(row);
    } else {
      steps.push([row]);
      size = sizeOf([row]);
    }
  }
  return steps;
}

function sizeOf(rows: readonly ScannedSession[]): number {
  return rows.reduce((sum, row) => sum + Number(row.log_bytes) + sessionBytes, 0);
}

/** The position of a session in a list by last activity. */
export function positionOf(row: ScannedSession | undefined): Position | null {
  return row ? { at: Number(row.active_at), id: row.id } : null;
}
