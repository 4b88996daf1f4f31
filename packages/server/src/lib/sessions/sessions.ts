import { idPrefix } from '@inlay/protocol';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Caller, EndUserCaller } from '../auth/caller.ts';
import { indexTitle } from '../events/update-session-row.ts';
import { isAfter, type Position } from '../http/paging.ts';
import { notFound } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import { deleteRuns } from '../runs/run-queue.ts';
import type { ServiceOptions } from '../service-options.ts';
import { isDeleted } from '../store/is-deleted.ts';
import { prepare } from '../store/prepared.ts';
import { type Schema, type SessionsTable, sessionColumns } from '../store/schema.ts';

/** Filter for the list of a user's sessions. */
export interface SessionFilter {
  /** Position after which the page starts; null for the first page. */
  readonly position: Position | null;
  readonly limit: number;
  readonly archived: 'true' | 'false' | 'any';
  /** Text to find in titles and messages; empty for no search. */
  readonly query: string;
}

const findOwn = prepare((db) =>
  db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('id', '=', '')
    .where('agent_id', '=', '')
    .where('external_user_id', '=', ''),
);

/** Reads and writes the rows of sessions. */
export class Sessions {
  readonly #services: Pick<ServiceOptions, 'store' | 'clock' | 'random'>;

  constructor(services: Pick<ServiceOptions, 'store' | 'clock' | 'random'>) {
    this.#services = services;
  }

  /**
   * Reads a session of the caller.
   *
   * @throws `NOT_FOUND` if the session does not exist, belongs to another user, or is not the one that
   *   the caller's token opens.
   */
  async readOwn(caller: EndUserCaller, id: string): Promise<SessionsTable> {
    const isOpen = caller.sessionId === null || caller.sessionId === id;
    const row = isOpen && (await this.findOwn(caller, id));
    if (!row) throw notFound('There is no session of this id, or it is not yours.');
    return row;
  }

  /**
   * Reads a session that the caller may read: one of their own, or any with an API key.
   *
   * @throws `NOT_FOUND`
   */
  readFor(caller: Caller, id: string): Promise<SessionsTable> {
    return caller.kind === 'backend' ? this.read(id) : this.readOwn(caller, id);
  }

  /** Reads a session of an end user. */
  async findOwn(
    { agentId, externalUserId }: Pick<EndUserCaller, 'agentId' | 'externalUserId'>,
    id: string,
  ): Promise<SessionsTable | undefined> {
    const [row] = await findOwn(this.#services.store.db, id, agentId, externalUserId);
    return row;
  }

  /**
   * Reads a session of any user, for the host's backend.
   *
   * @throws `NOT_FOUND`
   */
  async read(id: string): Promise<SessionsTable> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .where(({ not }) => not(isDeleted))
      .executeTakeFirst();
    if (!row) throw notFound('There is no session of this id.');
    return row;
  }

  /**
   * Lists sessions by last activity, newest first.
   *
   * @param condition Condition of the listed sessions; null for all.
   */
  list(
    caller: EndUserCaller,
    filter: Omit<SessionFilter, 'query'>,
    condition: RawBuilder<SqlBool> | null = null,
  ): Promise<SessionsTable[]> {
    const { position, archived } = filter;
    return this.#services.store.db
      .selectFrom('sessions')
      .selectAll()
      .where('agent_id', '=', caller.agentId)
      .where('external_user_id', '=', caller.externalUserId)
      .$if(archived !== 'any', (builder) =>
        builder.where('archived_at', archived === 'true' ? 'is not' : 'is', null),
      )
      .$if(condition !== null, (builder) => builder.where(condition ?? sql<SqlBool>`true`))
      .where(isAfter('active_at', position))
      .orderBy('active_at', 'desc')
      .orderBy('id', 'desc')
      .limit(filter.limit)
      .execute();
  }

  /** Creates a row with a copy of the token's settings, because the session outlives the token. */
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
      token_metadata: caller.tokenMetadata,
      status: 'idle',
      title: fields.title ?? null,
      metadata: JSON.stringify(fields.metadata ?? {}),
      input_tokens: 0,
      output_tokens: 0,
      spent_microcents: 0,
      created_at: now,
      updated_at: now,
      active_at: now,
      archived_at: null,
      preview: null,
      last_message: null,
      requires_action: 0,
      terminated_reason: null,
      source: null,
      begun_at: null,
      log_bytes: 0,
      outcome: null,
    };
  }

  /** Inserts a session's row, and adds its title to the search index. */
  async insert(transaction: Transaction<Schema>, row: SessionsTable): Promise<void> {
    await transaction.insertInto('sessions').values(row).execute();
    await indexTitle(transaction, row, row.title);
  }

  /**
   * Takes a session away from its user, so that no request finds it, and ends its run. The steps of
   * `DeletionWork` delete it.
   */
  async takeFromUser(transaction: Transaction<Schema>, id: string): Promise<void> {
    await deleteRuns(transaction, [id]);
    await transaction
      .updateTable('sessions')
      .set({ external_user_id: '' })
      .where('id', '=', id)
      .execute();
  }
}
