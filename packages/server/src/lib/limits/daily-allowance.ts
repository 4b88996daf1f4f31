import { type Kysely, sql } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import type { Services } from '../deps.ts';
import { secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';

/** What counting stands on: the whole of `Services` fits. */
type AllowanceServices = Pick<Services, 'store' | 'clock' | 'agents'>;

const microcentsPerCent = 1_000_000;

/** Refuses where a publishable key has used up its day (UTC): its sessions or its spend. */
export async function requireAllowance(
  { store, clock }: AllowanceServices,
  publishableKey: AgentKey,
): Promise<void> {
  const row = await store.db
    .selectFrom('publishable_key_days')
    .selectAll()
    .where('publishable_key', '=', publishableKey.key)
    .where('day', '=', utcDay(clock.now()))
    .executeTakeFirst();
  const spendCap = publishableKey.spend_cents_per_day * microcentsPerCent;
  if ((row?.sessions ?? 0) >= publishableKey.sessions_per_day)
    throw usedUp('sessions', clock.now());
  if ((row?.spent_microcents ?? 0) >= spendCap) throw usedUp('spend', clock.now());
}

/**
 * Counts a session that a visitor begins, or refuses it. Asking and counting are one statement, so
 * that no number of requests at once gets more than the cap. `db` is the transaction that creates
 * the session, so that only sessions that come to be are counted.
 */
export async function takeDailySession(
  services: AllowanceServices,
  key: string,
  db: Kysely<Schema> = services.store.db,
): Promise<void> {
  const publishableKey = requireKey(services, key);
  const cap = publishableKey.sessions_per_day;
  const spendCap = publishableKey.spend_cents_per_day * microcentsPerCent;
  const now = services.clock.now();
  if (cap === 0 || spendCap === 0) throw usedUp('sessions or spend', now);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('publishable_key_days')
    .values({ publishable_key: key, day: utcDay(now), sessions: 1, spent_microcents: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['publishable_key', 'day'])
        .doUpdateSet({ sessions: sql`publishable_key_days.sessions + 1` })
        .where('publishable_key_days.sessions', '<', cap)
        .where('publishable_key_days.spent_microcents', '<', spendCap),
    )
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw usedUp('sessions or spend', now);
}

function requireKey({ agents }: AllowanceServices, key: string): AgentKey {
  const found = agents.findPublishableKey(key);
  if (!found)
    throw new ApiError('EMBED_TOKEN_REVOKED', 'The publishable key of this visitor is gone.');
  return found.publishableKey;
}

function usedUp(what: string, now: number): ApiError {
  return new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `The daily allowance of ${what} of this publishable key is used up. It begins anew at 00:00 UTC.`,
    {
      retryAfter: secondsToNextUtcDay(now),
    },
  );
}
