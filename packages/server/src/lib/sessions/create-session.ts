import type { CreateSessionRequest, LogEvent, Session } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { prepareEvents } from '../events/prepare-events.ts';
import { lastMessageOf, previewOf } from '../events/preview.ts';
import { startsSession } from '../events/starts-session.ts';
import { idempotent, userScope } from '../idempotency/idempotent.ts';
import { countMessageBytes } from '../limits/message-quota.ts';
import { countEmptySession } from '../limits/user-counters.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';
import { countRefusal } from '../usage/count-usage.ts';
import { toSession } from './session-object.ts';
import { countVisit, startColumns } from './start-session.ts';

/**
 * Creates a session with its initial events in one transaction. Requests with the same idempotency
 * key create one session. The caller wakes the run engine.
 *
 * @param address Network address of the client.
 */
export async function createSession(
  services: Services,
  caller: EndUserCaller,
  body: CreateSessionRequest,
  idempotencyKey: string | undefined,
  address: string,
): Promise<Session> {
  const { sessions, events, runQueue, spending } = services;
  const agent = services.agents.find(caller.agentId);
  const requestedAgent = typeof body.agent === 'object' ? body.agent.id : body.agent;
  if (requestedAgent !== undefined && services.agents.find(requestedAgent)?.id !== caller.agentId) {
    throw invalidField('/agent', 'must be the agent of the token, or be left out');
  }
  const inputs = body.initial_events ?? [];
  const idempotentRequest = { scope: userScope(caller), key: idempotencyKey, body };

  return idempotent<Session>(services, idempotentRequest, async (remember) => {
    const emptyRow = sessions.newRow(caller, body);
    const row = inputs.some(startsSession)
      ? { ...emptyRow, ...startColumns(emptyRow, address, services.clock.now()) }
      : emptyRow;
    if (inputs.length > 0) await spending.assertMaySpend(row);
    let created = toSession(row, agent);
    let serverEvents: ReadonlySet<string> = new Set();
    const prepare = async (transaction: Transaction<Schema>) => {
      // `forgetUser` takes the same lock, so that it also deletes a session that is being created.
      await services.store.lock(transaction, endUserLock(caller));
      const request = { session: row, caller, inputs, pointer: '/initial_events' as const };
      const prepared = await prepareEvents(services, transaction, request, null);
      serverEvents = prepared.serverEvents;
      return prepared.drafts;
    };
    await events.append(row.id, prepare, {
      newSession: row,
      within: async (transaction, appended: readonly LogEvent[]) => {
        const texts = { preview: previewOf(appended), last_message: lastMessageOf(appended) };
        created = toSession({ ...row, ...texts }, agent);
        await requireValidToken(transaction, services, caller);
        await sessions.insert(transaction, row);
        if (appended.length > 0) await runQueue.add(transaction, row);
        await remember(transaction, created);
        // Counted after `remember`, which fails for a concurrent request with the same key.
        if (row.begun_at === null) {
          await countEmptySession(services, transaction, caller);
        } else {
          await countVisit(services, transaction, row);
        }
        const sentByUser = appended.filter(({ id }) => !serverEvents.has(id));
        await countMessageBytes(services, transaction, caller, sentByUser);
      },
    });
    return created;
  }).catch(countRefusal(services, sessions.newRow(caller, body)));
}
