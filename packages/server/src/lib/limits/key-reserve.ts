import type { Kysely } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import { dayMs, utcDay } from '../clock.ts';
import { partOf, visitorQuotas } from '../config/embed-policy.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';

/** Properties of a visitor that decide about the reserve of a publishable key. */
export interface VisitorClass {
  /** Whether the visitor was created more than a day ago. */
  readonly isKnown: boolean;
  /** Whether the largest network of the request has hardly been seen on this UTC day. */
  readonly isNewSource: boolean;
}

/** Usage of a publishable key, or a part of it, on one UTC day. */
export interface DayUsage {
  readonly sessions: number;
  readonly spentMicrocents: number;
  readonly fileBytes: number;
}

/**
 * Returns the part of a key's daily quotas that is available to a visitor: strangers who come in large
 * numbers leave the reserve to known visitors, and a part of it to networks that come for the first time.
 */
export function availablePart(key: AgentKey, { isKnown, isNewSource }: VisitorClass) {
  const ofSource = visitorQuotas(key);
  const reservedHalves = isKnown ? 0 : isNewSource ? 1 : 2;
  const available = (quota: number, share: number) =>
    // A quota that a single source may use up, such as a very small one, has no reserve.
    share >= quota
      ? quota
      : quota - reservedHalves * Math.floor((quota * key.reserve_percent) / 200);
  const cents = available(key.spend_cents_per_day, ofSource.spend_cents_per_source_per_day);
  return {
    sessions: available(key.sessions_per_day, ofSource.sessions_per_source_per_day),
    spendMicrocents: toMicrocents(cents),
    fileBytes: available(key.file_bytes_per_day, ofSource.file_bytes_per_source_per_day),
    unsentFileBytes: available(key.unsent_file_bytes, unsentBytesOfSource(key)),
  };
}

/** The part of `unsent_file_bytes` that the files of one source may use. */
export function unsentBytesOfSource(key: AgentKey): number {
  return partOf(key.unsent_file_bytes, 0.15, 26_214_400);
}

/** Sessions per UTC day with which a network still counts as not seen on this day. */
const sessionsOfNewSource = 2;

/**
 * Whether a network still counts as not seen on this day: it has at most two sessions, and used at most a
 * hundredth of the key's spending and uploads.
 *
 * @param usage Usage of the largest network; undefined if there is none yet, null if the network is unknown.
 * @param more Number of sessions that are about to be counted.
 */
export function isNewSource(key: AgentKey, usage: DayUsage | undefined | null, more = 0): boolean {
  if (usage === null) return false;
  if (usage === undefined) return true;
  return (
    usage.sessions + more <= sessionsOfNewSource &&
    usage.spentMicrocents <= toMicrocents(key.spend_cents_per_day) / 100 &&
    usage.fileBytes <= key.file_bytes_per_day / 100
  );
}

/** Classifies the visitor of a request, whose session is already counted. */
export async function classify(
  { clock }: Pick<ServiceOptions, 'clock'>,
  db: Kysely<Schema>,
  agentId: string,
  key: AgentKey,
  visitor: { readonly externalUserId: string; readonly source: string | null },
): Promise<VisitorClass> {
  const now = clock.now();
  const site = subjectsOf(visitor.source).at(-1);
  const usage =
    site === undefined ? null : (await readDay(db, key.key, utcDay(now), [site])).shares.get(site);
  return {
    isKnown: await isKnownVisitor(db, agentId, visitor.externalUserId, now),
    isNewSource: isNewSource(key, usage),
  };
}

/** Whether the visitor was created more than a day ago. */
export async function isKnownVisitor(
  db: Kysely<Schema>,
  agentId: string,
  externalUserId: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('visitors')
    .select('created_at')
    .where('agent_id', '=', agentId)
    .where('external_user_id', '=', externalUserId)
    .where('created_at', '<=', now - dayMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads the usage of a key on a UTC day, and of some visitors and networks among it. */
export async function readDay(
  db: Kysely<Schema>,
  publishableKey: string,
  day: string,
  subjects: readonly string[],
): Promise<{ key: DayUsage; shares: Map<string, DayUsage> }> {
  const columns = ['sessions', 'spent_microcents', 'file_bytes'] as const;
  const row = await db
    .selectFrom('publishable_key_days')
    .select(columns)
    .where('publishable_key', '=', publishableKey)
    .where('day', '=', day)
    .executeTakeFirst();
  const rows =
    subjects.length === 0
      ? []
      : await db
          .selectFrom('publishable_key_shares')
          .select([...columns, 'subject'])
          .where('publishable_key', '=', publishableKey)
          .where('day', '=', day)
          .where('subject', 'in', subjects)
          .execute();
  return {
    key: toUsage(row),
    shares: new Map(rows.map((share) => [share.subject, toUsage(share)])),
  };
}

function toUsage(
  row: { sessions: number; spent_microcents: number; file_bytes: number } | undefined,
): DayUsage {
  return {
    sessions: Number(row?.sessions ?? 0),
    spentMicrocents: Number(row?.spent_microcents ?? 0),
    fileBytes: Number(row?.file_bytes ?? 0),
  };
}

/**
 * Converts a budget from cents to micro-cents. The result is at most the largest safe integer, because
 * PostgreSQL rejects larger numbers than its `bigint`.
 */
export function toMicrocents(cents: number): number {
  return Math.min(cents * 1_000_000, Number.MAX_SAFE_INTEGER);
}

/** Splits the networks of a source, which are separated by spaces, from the smallest to the largest. */
export function subjectsOf(source: string | null): string[] {
  return source === null ? [] : source.split(' ');
}
