import type { Kysely } from 'kysely';
import { secondsToNextUtcDay, utcDay } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';
import { addToDay } from './day-counters.ts';

/** The end user whose daily counters are changed. */
interface CountedUser {
  readonly agentId: string;
  readonly externalUserId: string;
}

type CountedServices = Pick<ServiceOptions, 'clock' | 'config'>;

/**
 * Counts a session without a message against `limits.user.empty_sessions_per_day`. The count does not
 * change when the session is deleted.
 *
 * @param db The transaction that creates the session; a rejection rolls it back.
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function countEmptySession(
  { clock, config }: CountedServices,
  db: Kysely<Schema>,
  user: CountedUser,
): Promise<void> {
  const now = clock.now();
  const { empty_sessions_per_day: maximum } = config.limits.user;
  const count = await addToDay(db, 'end_user_days', userDay(user, now), 'empty_sessions', 1);
  if (count !== null && count <= maximum) return;
  throw new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `You may start at most ${maximum} conversations without a message in a day. Write in one of them.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}

/** Stops counting an empty session, because it got its first message. */
export async function uncountEmptySession(
  db: Kysely<Schema>,
  user: CountedUser,
  createdAt: number,
): Promise<void> {
  await db
    .updateTable('end_user_days')
    .set((eb) => ({ empty_sessions: eb('empty_sessions', '-', 1) }))
    .where('agent_id', '=', user.agentId)
    .where('external_user_id', '=', user.externalUserId)
    .where('day', '=', utcDay(createdAt))
    .where('empty_sessions', '>', 0)
    .execute();
}

/**
 * Counts an uploaded file against `limits.user.file_bytes_per_day`. The count does not change when the
 * file is deleted.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function countUserFile(
  services: CountedServices,
  db: Kysely<Schema>,
  user: CountedUser,
  bytes: number,
): Promise<void> {
  const row = userDay(user, services.clock.now());
  const total = await addToDay(db, 'end_user_days', row, 'file_bytes', bytes);
  const maximum = services.config.limits.user.file_bytes_per_day;
  if (total === null || total > maximum) throw userFilesExceeded(services);
}

/** The number of bytes that the user may still upload on this UTC day. */
export async function remainingUserFileBytes(
  { clock, config }: CountedServices,
  db: Kysely<Schema>,
  user: CountedUser,
): Promise<number> {
  const { agent_id, external_user_id, day } = userDay(user, clock.now());
  const row = await db
    .selectFrom('end_user_days')
    .select('file_bytes')
    .where('agent_id', '=', agent_id)
    .where('external_user_id', '=', external_user_id)
    .where('day', '=', day)
    .executeTakeFirst();
  return config.limits.user.file_bytes_per_day - Number(row?.file_bytes ?? 0);
}

export function userFilesExceeded({ clock, config }: CountedServices): ApiError {
  const maximum = config.limits.user.file_bytes_per_day;
  return new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `You may upload at most ${maximum} bytes of files in a day. The next day starts at 00:00 UTC.`,
    { retryAfter: secondsToNextUtcDay(clock.now()) },
  );
}

/** The primary key of the user's row in `end_user_days`. */
export function userDay({ agentId, externalUserId }: CountedUser, now: number) {
  return { agent_id: agentId, external_user_id: externalUserId, day: utcDay(now) };
}
