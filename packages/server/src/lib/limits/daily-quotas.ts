import { type Kysely, sql } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { secondsToNextUtcDay, utcDay } from '../clock.ts';
import { visitorQuotas } from '../config/embed-policy.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import type { Schema } from '../store/schema.ts';

interface QuotaServices extends Pick<ServiceOptions, 'store' | 'clock'> {
  readonly agents: AgentRegistry;
}

/** An anonymous visitor of a publishable key, with the source of the request. */
export interface KeyVisitor {
  publishableKey: string;
  externalUserId: string;
  /** The result of `sourceSubject`; null if unknown. */
  source: string | null;
}

/** The daily quota of one visitor or one source address, a part of the key's daily quota. */
export interface DailyQuota {
  /** Key of the row in `publishable_key_shares`. */
  readonly subject: string;
  readonly kind: 'visitor' | 'source';
  readonly sessions: number;
  readonly spendMicrocents: number;
}

/**
 * Returns the quotas that a visitor's sessions and model calls count against, besides the quota of
 * the key.
 */
export function quotasOfVisitor(
  key: AgentKey,
  visitor: Pick<KeyVisitor, 'externalUserId' | 'source'>,
): DailyQuota[] {
  const settings = visitorQuotas(key);
  const bySource = {
    kind: 'source' as const,
    sessions: clampToInteger(settings.sessions_per_source_per_day),
    spendMicrocents: toMicrocents(settings.spend_cents_per_source_per_day),
  };
  return [
    {
      subject: `visitor:${visitor.externalUserId}`,
      kind: 'visitor',
      sessions: clampToInteger(settings.sessions_per_visitor_per_day),
      spendMicrocents: toMicrocents(settings.spend_cents_per_visitor_per_day),
    },
    ...(visitor.source === null ? [] : [{ subject: visitor.source, ...bySource }]),
  ];
}

/**
 * Converts a budget from cents to micro-cents. The result is at most the largest safe integer, because
 * PostgreSQL rejects larger numbers than its `bigint`.
 */
export function toMicrocents(cents: number): number {
  return Math.min(cents * 1_000_000, Number.MAX_SAFE_INTEGER);
}

/**
 * Returns the id of a source address in the store: a hash, which is different for each publishable key.
 * It is not anonymous, because hashing every possible address reveals the address.
 */
export function sourceSubject(publishableKey: string, address: string): string {
  return `source:${hashSecret(`${publishableKey} ${address}`).slice(0, 22)}`;
}

/**
 * Rejects a new visitor if the publishable key or the visitor's source address has used up its daily
 * quota of sessions or spending.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function requireDailyQuota(
  { store, clock }: QuotaServices,
  publishableKey: AgentKey,
  source: string,
): Promise<void> {
  const now = clock.now();
  const day = utcDay(now);
  const row = await store.db
    .selectFrom('publishable_key_days')
    .selectAll()
    .where('publishable_key', '=', publishableKey.key)
    .where('day', '=', day)
    .executeTakeFirst();
  const spendBudget = toMicrocents(publishableKey.spend_cents_per_day);
  if ((row?.sessions ?? 0) >= publishableKey.sessions_per_day)
    throw quotaExceeded('sessions', 'key', now);
  if ((row?.spent_microcents ?? 0) >= spendBudget) throw quotaExceeded('spend', 'key', now);
  for (const quota of quotasOfVisitor(publishableKey, { externalUserId: '', source })) {
    if (quota.kind === 'visitor') continue;
    const used = await store.db
      .selectFrom('publishable_key_shares')
      .selectAll()
      .where('publishable_key', '=', publishableKey.key)
      .where('day', '=', day)
      .where('subject', '=', quota.subject)
      .executeTakeFirst();
    if ((used?.sessions ?? 0) >= quota.sessions) throw quotaExceeded('sessions', quota.kind, now);
    if ((used?.spent_microcents ?? 0) >= quota.spendMicrocents) {
      throw quotaExceeded('spend', quota.kind, now);
    }
  }
}

/**
 * Counts a new session against the quotas of the visitor, the source address and the key. One
 * statement checks and counts, so that concurrent requests cannot exceed a quota.
 *
 * @param db The transaction that starts the session; a rejection rolls it back.
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function countDailySession(
  services: QuotaServices,
  visitor: KeyVisitor,
  db: Kysely<Schema> = services.store.db,
): Promise<void> {
  const publishableKey = requireKey(services, visitor.publishableKey);
  const now = services.clock.now();
  const keyDay = { publishable_key: publishableKey.key, day: utcDay(now) };
  const initialRow = { ...keyDay, sessions: 1, spent_microcents: 0 };
  const quotaName = 'sessions or spend';
  // The quotas of the visitor and the address are checked before the quota of the key: a request that
  // exceeds one of them does not lock the key's row.
  for (const quota of quotasOfVisitor(publishableKey, visitor)) {
    if (quota.sessions === 0 || quota.spendMicrocents === 0)
      throw quotaExceeded(quotaName, quota.kind, now);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('publishable_key_shares')
      .values({ ...initialRow, subject: quota.subject })
      .onConflict((conflict) =>
        conflict
          .columns(['publishable_key', 'day', 'subject'])
          .doUpdateSet({ sessions: sql`publishable_key_shares.sessions + 1` })
          .where('publishable_key_shares.sessions', '<', quota.sessions)
          .where('publishable_key_shares.spent_microcents', '<', quota.spendMicrocents),
      )
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw quotaExceeded(quotaName, quota.kind, now);
  }
  const sessionQuota = clampToInteger(publishableKey.sessions_per_day);
  const spendBudget = toMicrocents(publishableKey.spend_cents_per_day);
  if (sessionQuota === 0 || spendBudget === 0) throw quotaExceeded(quotaName, 'key', now);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('publishable_key_days')
    .values(initialRow)
    .onConflict((conflict) =>
      conflict
        .columns(['publishable_key', 'day'])
        .doUpdateSet({ sessions: sql`publishable_key_days.sessions + 1` })
        .where('publishable_key_days.sessions', '<', sessionQuota)
        .where('publishable_key_days.spent_microcents', '<', spendBudget),
    )
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw quotaExceeded(quotaName, 'key', now);
}

/**
 * Limits the sessions without a message that a user creates in a UTC day. Call it in the transaction
 * that has created the session, while that transaction has the lock of the end user.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function limitEmptySessions(
  { clock }: Pick<ServiceOptions, 'clock'>,
  db: Kysely<Schema>,
  user: { agentId: string; externalUserId: string },
  maximum: number,
): Promise<void> {
  const now = clock.now();
  const { count } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('agent_id', '=', user.agentId)
    .where('external_user_id', '=', user.externalUserId)
    .where('begun_at', 'is', null)
    .where('created_at', '>=', Date.parse(utcDay(now)))
    .executeTakeFirstOrThrow();
  if (Number(count) <= maximum) return;
  throw new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `You may start at most ${maximum} conversations without a message in a day. Write in one of them.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}

function requireKey({ agents }: QuotaServices, key: string): AgentKey {
  const found = agents.findPublishableKey(key);
  if (!found)
    throw new ApiError(
      'EMBED_TOKEN_REVOKED',
      'The publishable key of this visitor no longer exists.',
    );
  return found.publishableKey;
}

const ownerNames = {
  key: 'of this publishable key',
  visitor: 'of this visitor',
  source: 'of visitors from this address',
};

function quotaExceeded(quota: string, owner: keyof typeof ownerNames, now: number): ApiError {
  return new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `The daily quota of ${quota} ${ownerNames[owner]} is used up. It is reset at 00:00 UTC.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}
