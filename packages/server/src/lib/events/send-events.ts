import type { LogEvent, UserEventInput } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { continuesRun, takeMessageBytes } from '../limits/message-allowance.ts';
import { ApiError } from '../problems/api-error.ts';
import { beginSession, isFromPerson } from '../sessions/begin-session.ts';
import type { Conversations } from '../sessions/conversations.ts';
import type { Schema } from '../store/schema.ts';
import { prepareEvents } from './prepare-events.ts';
import { requireRoom } from './require-room.ts';

/**
 * Appends what a person sends, all of it or nothing and with a key only once, and has it answered.
 *
 * @param address The network address that the request came from.
 */
export async function sendEvents(
  conversations: Conversations,
  caller: EndUserCaller,
  sessionId: string,
  inputs: readonly UserEventInput[],
  key: string | undefined,
  address: string,
): Promise<{ data: readonly LogEvent[] }> {
  const { services, sessions, events, leases, spending, engine } = conversations;
  const session = await sessions.own(caller, sessionId);
  const request = { scope: `session:${session.id}`, key, body: inputs };

  let sentNow: readonly LogEvent[] | null = null;
  const answer = await idempotent<Answer>(services, request, async (remember) => {
    const begins = inputs.some(isFromPerson);
    if (begins) await spending.assertMaySpend(session);
    let added: ReadonlySet<string> = new Set();
    const own = (all: readonly LogEvent[]) => all.filter(({ id }) => !added.has(id));
    const prepare = async (transaction: Transaction<Schema>) => {
      await requireOpen(transaction, session.id);
      if (!inputs.every(continuesRun)) {
        await requireRoom(transaction, session.id, services.config.limits);
      }
      const sent = { session, caller, inputs, pointer: '/events' as const };
      const prepared = await prepareEvents(conversations, transaction, sent);
      added = prepared.added;
      return prepared.drafts;
    };
    const appended = await events.append(session.id, prepare, {
      within: async (transaction, all) => {
        await requireValidToken(transaction, services, caller);
        if (all.length > 0) await leases.request(transaction, session.id);
        await remember(transaction, { seqs: own(all).map(({ seq }) => seq) });
        // Last, so that a repeat which came at the same time neither counts nor is refused.
        if (begins) await beginSession(services, transaction, session, address);
        await takeMessageBytes(services, transaction, caller, own(all));
      },
    });
    sentNow = own(appended);
    return { seqs: sentNow.map(({ seq }) => seq) };
  });
  engine.wake(session.id);
  // Answers that earlier versions stored hold the events themselves.
  if ('data' in answer) return answer;
  return { data: sentNow ?? (await events.readAt(session.id, answer.seqs)) };
}

/** The stored answer of an idempotent request: the `seq` of its events, because the log holds the rest. */
type Answer = { readonly seqs: readonly number[] } | { readonly data: readonly LogEvent[] };

/** Inside the transaction, so that nothing slips in beside an archiving. */
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
