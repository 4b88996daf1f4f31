import type { LogEvent, UserEventInput } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { continuesRun, countMessageBytes } from '../limits/message-quota.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { startSession, startsSession } from '../sessions/start-session.ts';
import type { Schema } from '../store/schema.ts';
import { checkLogLimits } from './check-log-limits.ts';
import { prepareEvents } from './prepare-events.ts';

/**
 * Appends all of the user's events or none, and starts a run. Requests with the same idempotency key
 * append their events once.
 *
 * @param address Network address of the client.
 */
export async function sendEvents(
  services: Services,
  caller: EndUserCaller,
  sessionId: string,
  inputs: readonly UserEventInput[],
  idempotencyKey: string | undefined,
  address: string,
): Promise<{ data: readonly LogEvent[] }> {
  const { sessions, events, runQueue, spending, engine } = services;
  const session = await sessions.readOwn(caller, sessionId);
  const request = { scope: `session:${session.id}`, key: idempotencyKey, body: inputs };

  let appendedEvents: readonly LogEvent[] | null = null;
  const result = await idempotent<SendResult>(services, request, async (remember) => {
    const hasInput = inputs.some(startsSession);
    if (hasInput) await spending.assertMaySpend(session);
    let serverInterrupts: ReadonlySet<string> = new Set();
    const sentByUser = (all: readonly LogEvent[]) =>
      all.filter(({ id }) => !serverInterrupts.has(id));
    const prepare = async (transaction: Transaction<Schema>) => {
      await requireOpen(transaction, session.id);
      if (!inputs.every(continuesRun)) {
        await checkLogLimits(transaction, session.id, services.config.limits);
      }
      const sendRequest = { session, caller, inputs, pointer: '/events' as const };
      const prepared = await prepareEvents(services, transaction, sendRequest);
      serverInterrupts = prepared.serverInterrupts;
      return prepared.drafts;
    };
    const appended = await events.append(session.id, prepare, {
      within: async (transaction, all) => {
        await requireValidToken(transaction, services, caller);
        await remember(transaction, { seqs: sentByUser(all).map(({ seq }) => seq) });
        // Runs after the idempotency check, so that a concurrent repetition is neither counted nor rejected.
        if (hasInput) await startSession(services, transaction, session, address);
        if (all.length > 0) await runQueue.add(transaction, session);
        await countMessageBytes(services, transaction, caller, sentByUser(all));
      },
    });
    appendedEvents = sentByUser(appended);
    return { seqs: appendedEvents.map(({ seq }) => seq) };
  });
  engine.wake(session.id);
  // Responses stored by earlier versions contain the events themselves.
  if ('data' in result) return result;
  return { data: appendedEvents ?? (await events.readAt(session.id, result.seqs)) };
}

/**
 * The response that is stored for an idempotency key: only the `seq` of the events, because the log
 * contains the events.
 */
type SendResult = { readonly seqs: readonly number[] } | { readonly data: readonly LogEvent[] };

/**
 * Throws if the session is archived or terminated. Call it inside the transaction that appends, so
 * that no event is appended to a session that is archived concurrently.
 */
async function requireOpen(transaction: Transaction<Schema>, sessionId: string): Promise<void> {
  const row = await transaction
    .selectFrom('sessions')
    .select(['archived_at', 'status'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (row?.status === 'terminated') {
    throw new ApiError('CONFLICT', 'This conversation was ended. Start a new one.');
  }
  if (row && row.archived_at !== null) {
    throw new ApiError(
      'CONFLICT',
      'This conversation is archived. Unarchive it, or start a new one.',
    );
  }
}
