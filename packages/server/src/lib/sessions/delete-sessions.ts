import { sql, type Transaction } from 'kysely';
import { isoTime } from '../clock.ts';
import type { EventLog } from '../events/event-log.ts';
import { lockSession } from '../events/lock-session.ts';
import type { Files } from '../files/files.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { describeError } from '../log/logger.ts';
import { deleteInSteps, type NamedStep, repeatStep } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import type { Sessions } from './sessions.ts';

export type DeletionServices = Pick<ServiceOptions, 'bus' | 'clock' | 'log' | 'store'> & {
  readonly events: EventLog;
  readonly files: Files;
  readonly sessions: Sessions;
};

/** Milliseconds until a failed step is repeated. The delay doubles with each failure. */
const firstRetryDelay = 1_000;
const maximumRetryDelay = 600_000;

/** Maximum sessions per step: fewer than `stepSize`, because a session has many rows. */
export const sessionsPerStep = 20;

/** Maximum events or texts per step: fewer than `stepSize`, because they are large. */
const rowsPerStep = 100;

/**
 * Deletes a session with its events, its feedback, and the files that no other session of the user
 * refers to. They are invisible at once, and `deletions` deletes them in the background. Open streams
 * get `session.deleted`, and end.
 *
 * @param options.inactiveSince Milliseconds since the epoch. The session is kept if it was active at
 *   this time or later.
 */
export async function deleteSession(
  services: DeletionServices & { readonly deletions: DeletionWork },
  session: Pick<SessionsTable, 'id' | 'agent_id' | 'external_user_id'>,
  options: { inactiveSince?: number } = {},
): Promise<void> {
  const scope = userScope({
    agentId: session.agent_id,
    externalUserId: session.external_user_id,
  });
  const wasDeleted = await services.store.transaction(async (transaction) => {
    if (!(await lockSession(transaction, session.id))) return false;
    if (await wasActive(transaction, session.id, options.inactiveSince)) return false;
    await services.files.takeFilesOfSession(transaction, session.id);
    // The stored response of an idempotent creation contains the session's title and preview.
    await transaction
      .deleteFrom('idempotency')
      .where('scope', '=', scope)
      .where(({ eb, fn, val }) =>
        eb(fn<number>('instr', ['response', val(JSON.stringify(session.id))]), '>', 0),
      )
      .execute();
    await services.sessions.takeFromUser(transaction, session.id);
    return true;
  });
  if (!wasDeleted) return;
  await publishDeletion(services, session.id);
  services.deletions.wake();
}

async function wasActive(
  transaction: Transaction<Schema>,
  id: string,
  since: number | undefined,
): Promise<boolean> {
  if (since === undefined) return false;
  const row = await transaction
    .selectFrom('sessions')
    .select('active_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && Number(row.active_at) >= since;
}

/**
 * Deletes in the background the sessions and files that were taken away from their users, in steps
 * between which other requests are handled. A step that failed is soon repeated. After a crash, the
 * hourly sweep deletes the rest.
 */
export class DeletionWork {
  readonly #services: DeletionServices;
  #work: Promise<void> | null = null;
  #isWoken = false;
  #isClosed = false;
  /** Consecutive rounds in which a step failed. */
  #failures = 0;
  #cancelRetry = () => {};

  constructor(services: DeletionServices) {
    this.#services = services;
  }

  /** Starts to delete. */
  wake(): void {
    this.#isWoken = true;
    this.#work ??= this.#delete().finally(() => {
      this.#work = null;
    });
  }

  /**
   * Deletes all sessions and files that were taken away from their users.
   *
   * @returns Whether everything was deleted. A step that failed is repeated later.
   */
  async finish(): Promise<boolean> {
    this.wake();
    await this.#work;
    return this.#failures === 0 && !this.#isClosed;
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    await this.#work;
  }

  async #delete(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      this.#cancelRetry();
      let hasFailed = false;
      for (const step of deletionSteps(this.#services)) {
        try {
          await repeatStep(step, () => this.#isClosed);
        } catch (error) {
          hasFailed = true;
          this.#services.log.error('deleted data not removed', describeError(error));
        }
      }
      this.#failures = hasFailed ? this.#failures + 1 : 0;
      if (hasFailed && !this.#isClosed) {
        const delay = Math.min(firstRetryDelay * 2 ** (this.#failures - 1), maximumRetryDelay);
        this.#cancelRetry = this.#services.clock.after(delay, () => this.wake());
      }
    }
  }
}

/** Steps that delete the sessions and files that were taken away from their users. */
export function deletionSteps(services: DeletionServices): readonly NamedStep[] {
  const { files, store } = services;
  const deleteSessions = async () => {
    const rows = await store.db
      .selectFrom('sessions')
      .select('id')
      .where(isDeleted)
      .orderBy('id')
      .limit(sessionsPerStep)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await deleteRows(services, ids);
    return ids.length;
  };
  return [
    ['deleted sessions', deleteSessions, sessionsPerStep],
    ['deleted files', files.removeDeleted],
  ];
}

/**
 * Deletes the rows of sessions that were taken away from their users. Several sessions share the
 * statements, because a commit costs more than the deletion of the few rows of one session.
 */
async function deleteRows(services: DeletionServices, ids: readonly string[]): Promise<void> {
  const { db } = services.store;
  // For streams that were opened before the session was taken away.
  for (const id of ids) await publishDeletion(services, id);
  const isOfSessions = sql`session_id in (${sql.join(ids)})`;
  for (const [table, key] of rowsOfSessions) {
    await deleteInSteps(db, table, ['session_id', key], isOfSessions, { size: rowsPerStep });
  }
  const scopes = ids.map((id) => `session:${id}`);
  await db.deleteFrom('idempotency').where('scope', 'in', scopes).execute();
  // The last, so that the rest is found again after a crash.
  await db.deleteFrom('sessions').where('id', 'in', ids).execute();
}

/** The tables with rows of a session, and the column that completes their primary key. */
const rowsOfSessions = [
  ['events', 'seq'],
  ['session_texts', 'seq'],
  ['session_files', 'file_id'],
  ['provider_messages', 'request_id'],
  ['feedback', 'event_id'],
  ['webhook_deliveries', 'id'],
] as const;

/** Ends the streams and the run of a session. Must be called after the commit. */
export async function publishDeletion(
  { bus, clock, events }: DeletionServices,
  sessionId: string,
): Promise<void> {
  await bus.publish({
    kind: 'session_events',
    sessionId,
    events: [
      {
        type: 'session.deleted',
        id: events.newEventId(),
        processed_at: isoTime(clock.now()),
        seq: (await events.lastSeq(sessionId)) + 1,
      },
    ],
  });
}
