import type { LogEvent, UserEventInput } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireUnrevoked } from '../auth/find-token.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';
import { checkAnswers, checkAttachments, toDraft } from './check-inputs.ts';
import type { Conversations } from './conversations.ts';

/** Appends what a person sends, all of it or nothing and with a key only once, and has it answered. */
export async function sendEvents(
  conversations: Conversations,
  caller: EndUserCaller,
  sessionId: string,
  inputs: readonly UserEventInput[],
  key: string | undefined,
): Promise<{ data: readonly LogEvent[] }> {
  const { services, sessions, events, files, leases, spending, engine } = conversations;
  const session = await sessions.own(caller, sessionId);
  const request = { scope: `session:${session.id}`, key, body: inputs };

  const answer = await idempotent<{ data: readonly LogEvent[] }>(
    services,
    request,
    async (remember) => {
      await checkAttachments(inputs, caller, files, '/events');
      await checkAnswers(inputs, session.id, events);
      if (inputs.some(({ type }) => type === 'user.message'))
        await spending.assertMaySpend(session);
      const data = await events.append(session.id, inputs.map(toDraft), {
        within: async (transaction, appended) => {
          await requireUnrevoked(transaction, caller);
          await requireOpen(transaction, session.id);
          await leases.request(transaction, session.id);
          await remember(transaction, { data: appended });
        },
      });
      return { data };
    },
  );
  engine.wake(session.id);
  return answer;
}

/** Inside the transaction, so that nothing slips in beside an archiving. */
async function requireOpen(transaction: Transaction<Schema>, sessionId: string): Promise<void> {
  const row = await transaction
    .selectFrom('sessions')
    .select(['archived_at', 'status'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (row && (row.archived_at !== null || row.status === 'terminated')) {
    throw new ApiError('CONFLICT', 'This session takes no more events. Start a new one.');
  }
}
