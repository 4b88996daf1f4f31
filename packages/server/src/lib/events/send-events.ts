import type { LogEvent, UserEventInput } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { continuesRun, countMessageBytes } from '../limits/message-quota.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { startSession } from '../sessions/start-session.ts';
import type { Schema } from '../store/schema.ts';
import { countRefusal } from '../usage/count-usage.ts';
import { checkLogLimits } from './check-log-limits.ts';
import type { LockedSession } from './lock-session.ts';
import { prepareEvents } from './prepare-events.ts';
import { startsSession } from './starts-session.ts';

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
    let serverEvents: ReadonlySet<string> = new Set();
    const sentByUser = (all: readonly LogEvent[]) => all.filter(({ id }) => !serverEvents.has(id));
    const prepare = async (transaction: Transaction<Schema>, locked: LockedSession | null) => {
      if (locked) requireOpen(locked);
      if (locked && !inputs.every(continuesRun)) checkLogLimits(locked, services.config.limits);
      const sendRequest = { session, caller, inputs, pointer: '/events' as const };
      const prepared = await prepareEvents(services, transaction, sendRequest, locked);
      serverEvents = prepared.serverEvents;
      return prepared.drafts;
    };
    const appended = await events.append(session.id, prepare, {
      within: async (transaction, all, locked) => {
        await requireValidToken(transaction, services, caller);
        await remember(transaction, { seqs: sentByUser(all).map(({ seq }) => seq) });
        // Runs after the idempotency check, so that a concurrent repetition is neither counted nor rejected.
        const started =
          hasInput && locked
            ? await startSession(services, transaction, session, locked, address)
            : {};
        if (all.length > 0) {
          const source = locked?.source ?? started.source ?? null;
          await runQueue.add(transaction, { ...session, source });
        }
        await countMessageBytes(services, transaction, caller, sentByUser(all));
        return started;
      },
    });
    appendedEvents = sentByUser(appended);
    return { seqs: appendedEvents.map(({ seq }) => seq) };
  }).catch(countRefusal(services, session));
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

/** Throws if the session, which the transaction has locked, is archived or terminated. */
function requireOpen({ status, archived_at }: LockedSession): void {
  if (status === 'terminated') {
    throw new ApiError('CONFLICT', 'This conversation was ended. Start a new one.');
  }
  if (archived_at !== null) {
    throw new ApiError(
      'CONFLICT',
      'This conversation is archived. Unarchive it, or start a new one.',
    );
  }
}
