import { idPrefix } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Services } from '../deps.ts';
import type { Position } from '../http/paging.ts';
import { newId } from '../ports/random.ts';
import { notFound } from '../problems/api-error.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

/** The rows of sessions, as one end user may see them: their own, and no other. */
export class Sessions {
  readonly #services: Pick<Services, 'store' | 'clock' | 'random'>;

  constructor(services: Pick<Services, 'store' | 'clock' | 'random'>) {
    this.#services = services;
  }

  /** Throws `NOT_FOUND` for one that is not there, and for another user's alike. */
  async own(caller: EndUserCaller, id: string): Promise<SessionsTable> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .where('agent_id', '=', caller.agentId)
      .where('external_user_id', '=', caller.externalUserId)
      .executeTakeFirst();
    if (!row) throw notFound('There is no session of this id, or it is not yours.');
    return row;
  }

  /** Newest first. */
  list(
    caller: EndUserCaller,
    filter: { position: Position | null; limit: number; includeArchived: boolean },
  ): Promise<SessionsTable[]> {
    const { position } = filter;
    return this.#services.store.db
      .selectFrom('sessions')
      .selectAll()
      .where('agent_id', '=', caller.agentId)
      .where('external_user_id', '=', caller.externalUserId)
      .$if(!filter.includeArchived, (query) => query.where('archived_at', 'is', null))
      .$if(position !== null, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('created_at', 'id'),
            '<',
            tuple(position?.createdAt ?? 0, position?.id ?? ''),
          ),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(filter.limit)
      .execute();
  }

  /** What the token settled is copied, so that the session outlives it. */
  newRow(
    caller: EndUserCaller,
    fields: { title?: string | null | undefined; metadata?: object | undefined },
  ): SessionsTable {
    const now = this.#services.clock.now();
    return {
      id: newId(this.#services.random, idPrefix.session),
      agent_id: caller.agentId,
      agent_version: caller.agentVersion,
      external_user_id: caller.externalUserId,
      issuance_id: caller.issuanceId,
      publishable_key: caller.publishableKey,
      system_message: caller.systemMessage && JSON.stringify(caller.systemMessage),
      override_system: caller.overrideSystem,
      budget_cents: caller.budgetCents,
      status: 'idle',
      title: fields.title ?? null,
      metadata: JSON.stringify(fields.metadata ?? {}),
      input_tokens: 0,
      output_tokens: 0,
      spent_microcents: 0,
      created_at: now,
      updated_at: now,
      archived_at: null,
    };
  }

  async insert(transaction: Transaction<Schema>, row: SessionsTable): Promise<void> {
    await transaction.insertInto('sessions').values(row).execute();
  }

  /** With everything that belongs to it. */
  async delete(transaction: Transaction<Schema>, id: string): Promise<void> {
    await transaction.deleteFrom('events').where('session_id', '=', id).execute();
    await transaction.deleteFrom('runs').where('session_id', '=', id).execute();
    await transaction.deleteFrom('feedback').where('session_id', '=', id).execute();
    await transaction.deleteFrom('idempotency').where('scope', '=', `session:${id}`).execute();
    await transaction.deleteFrom('sessions').where('id', '=', id).execute();
  }
}
