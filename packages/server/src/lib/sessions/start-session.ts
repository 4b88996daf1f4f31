import type { Transaction } from 'kysely';
import type { LockedSession } from '../events/lock-session.ts';
import type { SessionChanges } from '../events/update-session-row.ts';
import { countDailySession, sourceSubject } from '../limits/daily-quotas.ts';
import { uncountEmptySession } from '../limits/user-counters.ts';
import { requirePassedChallenge } from '../limits/visitor-challenge.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

/**
 * Returns the columns that the first message sets.
 *
 * @param address Network address of the client.
 * @param now Milliseconds since the epoch.
 */
export function startColumns(
  { publishable_key }: Pick<SessionsTable, 'publishable_key'>,
  address: string,
  now: number,
): Pick<SessionsTable, 'begun_at' | 'source'> {
  const source = publishable_key === null ? null : sourceSubject(publishable_key, address);
  return { begun_at: now, source };
}

/**
 * Counts a session against the daily quotas, unless it was started before. Must be called inside the
 * transaction that appends the first message.
 *
 * @param locked The locked session.
 * @returns The changes that mark the session as started.
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function startSession(
  services: Pick<Services, 'store' | 'clock' | 'config' | 'agents'>,
  transaction: Transaction<Schema>,
  session: SessionsTable,
  locked: Pick<LockedSession, 'begun_at'>,
  address: string,
): Promise<SessionChanges> {
  if (locked.begun_at !== null) return {};
  const { begun_at, source } = startColumns(session, address, services.clock.now());
  await countVisit(services, transaction, { ...session, begun_at, source });
  const user = { agentId: session.agent_id, externalUserId: session.external_user_id };
  await uncountEmptySession(transaction, user, Number(session.created_at));
  return { begunAt: begun_at, source };
}

/**
 * Counts a visitor's session against the daily quotas of the publishable key.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`; `EMBED_TOKEN_EXPIRED` if the visitor has to pass the challenge first.
 */
export async function countVisit(
  services: Pick<Services, 'store' | 'clock' | 'config' | 'agents'>,
  transaction: Transaction<Schema>,
  { publishable_key, external_user_id, source }: SessionsTable,
): Promise<void> {
  if (publishable_key === null) return;
  const visitor = { publishableKey: publishable_key, externalUserId: external_user_id, source };
  await requirePassedChallenge(services, transaction, visitor);
  await countDailySession(services, visitor, transaction);
}
