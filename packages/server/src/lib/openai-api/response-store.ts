import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { dayMs } from '../clock.ts';
import { parseExact, stringifyExact } from '../exact-json.ts';
import { fieldsOf } from '../json.ts';
import { ApiError } from '../problems/api-error.ts';
import { type SweepStep, stepSize } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ChatModelItemsTable, ChatModelResponsesTable, Schema } from '../store/schema.ts';
import { type Conversations, deleteWithItems } from './conversations.ts';
import { type Item, type ItemObject, insertItems, nextSeq, parseItem, toItem } from './items.ts';
import { type ListQuery, toList, unknownCursor } from './lists.ts';

export type ResponseRow = Selectable<ChatModelResponsesTable>;

/** A response object of the official API. */
export interface ResponseObject {
  [name: string]: unknown;
  id: string;
  status: string;
  output: readonly ItemObject[];
}

/** An item with the id that clients get. */
export interface NewItem {
  readonly id: string;
  readonly source: 'input' | 'output';
  readonly item: object;
}

/** The response or conversation that a response continues, if any. */
export interface ResponseContext {
  readonly previousResponseId: string | null;
  readonly conversationId: string | null;
}

/** A response that has ended. */
export interface EndedResponse {
  readonly owner: string;
  readonly context: ResponseContext;
  readonly response: ResponseObject;
  readonly input: readonly NewItem[];
}

type StoreServices = Pick<ServiceOptions, 'store' | 'clock' | 'config'>;

/** Stored responses with their input and output items (docs/conformance.md, 4.13.2 to 4.13.4). */
export class ResponseStore {
  readonly #services: StoreServices;
  readonly #conversations: Conversations;

  constructor(services: StoreServices, conversations: Conversations) {
    this.#services = services;
    this.#conversations = conversations;
  }

  /**
   * Reads a response.
   *
   * @throws ApiError `NOT_FOUND`, with the code `response_not_found`.
   */
  async read(owner: string, id: string): Promise<ResponseObject> {
    return this.toObject(await this.find(owner, id));
  }

  /** Converts a row to a response object, with its output items. */
  async toObject({ id, json, status }: ResponseRow): Promise<ResponseObject> {
    const rows = await this.#services.store.db
      .selectFrom('chat_model_items')
      .select(['id', 'json'])
      .where('parent_id', '=', id)
      .where('source', '=', 'output')
      .orderBy('seq')
      .execute();
    return { ...fieldsOf(parseExact(json)), id, status, output: rows.map(toItem) };
  }

  /** @throws ApiError `NOT_FOUND` */
  async find(
    owner: string,
    id: string,
    code: 'response_not_found' | 'object_not_found' = 'response_not_found',
  ): Promise<ResponseRow> {
    const { store, clock } = this.#services;
    const row = await store.db
      .selectFrom('chat_model_responses')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    if (row) return row;
    throw new ApiError('NOT_FOUND', `There is no response \`${id.slice(0, 100)}\`.`, {
      familyCode: code,
    });
  }

  /** Deletes a response with its items. */
  async delete(owner: string, id: string): Promise<void> {
    await this.find(owner, id);
    await this.#services.store.transaction((transaction) =>
      deleteWithItems(transaction, 'chat_model_responses', [id]),
    );
  }

  /**
   * Lists the resolved input of a response: the input and output items of its ancestors, which are
   * the responses that it continues, and then the input items of the response. If an ancestor is
   * missing, only the input items of the response are listed.
   */
  async listInput(owner: string, id: string, { limit, order, after }: ListQuery) {
    const row = await this.find(owner, id);
    const chain = await this.#chain(owner, row.previous_response_id);
    const { db } = this.#services.store;
    const keys = await db
      .selectFrom('chat_model_items')
      .select(['parent_id', 'seq', 'id', 'source'])
      .where('parent_id', 'in', [...(chain ?? []), id])
      .orderBy('seq')
      .execute();
    const positions = new Map([...(chain ?? []), id].map((parent, index) => [parent, index]));
    const all = keys
      .filter(({ parent_id, source }) => parent_id !== id || source === 'input')
      .sort((left, right) => positionOf(left) - positionOf(right) || left.seq - right.seq);
    if (order === 'desc') all.reverse();
    const start = after === undefined ? 0 : all.findIndex((key) => key.id === after) + 1;
    if (after !== undefined && start === 0) throw unknownCursor();
    const page = all.slice(start, start + limit + 1);
    const items = await this.#itemsAt(page.slice(0, limit));
    return { ...toList(items, limit), has_more: page.length > limit };

    function positionOf({ parent_id }: { parent_id: string }): number {
      return positions.get(parent_id) ?? 0;
    }
  }

  /** Reads items at these positions, in their order. */
  async #itemsAt(
    positions: readonly Pick<ChatModelItemsTable, 'parent_id' | 'seq'>[],
  ): Promise<ItemObject[]> {
    if (positions.length === 0) return [];
    const rows = await this.#services.store.db
      .selectFrom('chat_model_items')
      .select(['parent_id', 'seq', 'id', 'json'])
      .where(({ or, and, eb }) =>
        or(
          positions.map(({ parent_id, seq }) =>
            and([eb('parent_id', '=', parent_id), eb('seq', '=', seq)]),
          ),
        ),
      )
      .execute();
    const found = new Map(rows.map((row) => [`${row.parent_id} ${row.seq}`, row]));
    return positions.flatMap(({ parent_id, seq }) => {
      const row = found.get(`${parent_id} ${seq}`);
      return row ? [toItem(row)] : [];
    });
  }

  /**
   * Reads the items that precede the input of a new response: the items of its conversation, or of
   * its ancestors.
   *
   * @throws ApiError `NOT_FOUND` for the conversation; `VALIDATION_ERROR` if an ancestor is
   *   missing or has not ended, or if all items together exceed the size limit of a body.
   */
  async precedingItems(
    owner: string,
    { previousResponseId, conversationId }: ResponseContext,
  ): Promise<{ source: 'input' | 'output'; item: Item }[]> {
    let parents: readonly string[] = [];
    if (conversationId !== null) {
      parents = [(await this.#conversations.find(owner, conversationId)).id];
    } else if (previousResponseId !== null) {
      const chain = await this.#chain(owner, previousResponseId);
      if (!chain) throw noPreviousResponse(previousResponseId);
      parents = chain;
    }
    if (parents.length === 0) return [];
    const param = conversationId === null ? 'previous_response_id' : 'conversation';
    const { db } = this.#services.store;
    const { bytes } = await db
      .selectFrom('chat_model_items')
      .select(sql<number | null>`sum(length(json))`.as('bytes'))
      .where('parent_id', 'in', parents)
      .executeTakeFirstOrThrow();
    const maximum = this.#services.config.limits.request.model_json_bytes;
    if (Number(bytes) > maximum) {
      throw new ApiError(
        'VALIDATION_ERROR',
        `The items before this request have more than ${maximum} bytes. Start again with fewer items.`,
        { param, familyCode: 'context_length_exceeded' },
      );
    }
    const rows = await db
      .selectFrom('chat_model_items')
      .select(['parent_id', 'source', 'json'])
      .where('parent_id', 'in', parents)
      .orderBy('seq')
      .execute();
    return parents.flatMap((parent) =>
      rows
        .filter(({ parent_id }) => parent_id === parent)
        .map(({ source, json }) => ({ source, item: parseItem(json) })),
    );
  }

  /**
   * Reads items by id. Items of other owners, of expired responses and of deleted conversations are
   * omitted.
   */
  async itemsById(owner: string, ids: readonly string[]): Promise<Map<string, Item>> {
    if (ids.length === 0) return new Map();
    const { store, clock } = this.#services;
    const rows = await store.db
      .selectFrom('chat_model_items as item')
      .select(['item.id', 'item.json'])
      .where('item.id', 'in', ids)
      .where(({ or, exists, selectFrom }) =>
        or([
          exists(
            selectFrom('chat_model_conversations as parent')
              .select('parent.id')
              .whereRef('parent.id', '=', 'item.parent_id')
              .where('parent.owner', '=', owner),
          ),
          exists(
            selectFrom('chat_model_responses as parent')
              .select('parent.id')
              .whereRef('parent.id', '=', 'item.parent_id')
              .where('parent.owner', '=', owner)
              .where('parent.expires_at', '>', clock.now())
              // A response keeps its items when its conversation is deleted.
              .where(({ or, eb, exists, selectFrom }) =>
                or([
                  eb('parent.conversation_id', 'is', null),
                  exists(
                    selectFrom('chat_model_conversations as conversation')
                      .select('conversation.id')
                      .whereRef('conversation.id', '=', 'parent.conversation_id'),
                  ),
                ]),
              ),
          ),
        ]),
      )
      .execute();
    return new Map(rows.map(({ id, json }) => [id, parseItem(json)]));
  }

  /** Reads the input items of a response, without the items of its ancestors. */
  async ownInput(id: string): Promise<NewItem[]> {
    const rows = await this.#services.store.db
      .selectFrom('chat_model_items')
      .select(['id', 'json'])
      .where('parent_id', '=', id)
      .where('source', '=', 'input')
      .orderBy('seq')
      .execute();
    return rows.map((row) => ({ id: row.id, source: 'input', item: parseItem(row.json) }));
  }

  /**
   * Stores a response that has ended, unless it was created with `store: false`, and appends its
   * items to its conversation.
   */
  async save(ended: EndedResponse, isStored: boolean): Promise<void> {
    await this.#services.store.transaction(async (transaction) => {
      if (isStored) await this.insert(transaction, ended);
      await this.appendToConversation(transaction, ended);
    });
  }

  /**
   * Inserts a response with its items.
   *
   * @param options.request Request of a background response, which is queued.
   */
  async insert(
    transaction: Transaction<Schema>,
    { owner, context, response, input }: EndedResponse,
    { request }: { request?: object } = {},
  ): Promise<void> {
    const { clock, config } = this.#services;
    const now = clock.now();
    await transaction
      .insertInto('chat_model_responses')
      .values({
        id: response.id,
        owner,
        previous_response_id: context.previousResponseId,
        conversation_id: context.conversationId,
        background: request ? 1 : 0,
        status: response.status,
        json: serializeResponse(response),
        request: request ? stringifyExact(request) : null,
        lease_id: null,
        worker: null,
        run_after: request ? 0 : null,
        created_at: now,
        expires_at: now + config.retention.responses_days * dayMs,
      })
      .execute();
    await insertItems(transaction, response.id, 0, [...input, ...outputItemsOf(response)]);
  }

  /** Inserts the output of a background response, after its input. */
  async insertOutput(transaction: Transaction<Schema>, response: ResponseObject): Promise<void> {
    const { id } = response;
    await insertItems(transaction, id, await nextSeq(transaction, id), outputItemsOf(response));
  }

  /**
   * Appends the items of a response to its conversation, unless the response failed. If the conversation
   * was deleted in the meantime, does nothing: the response is paid.
   */
  async appendToConversation(
    transaction: Transaction<Schema>,
    { owner, context, response, input }: EndedResponse,
  ): Promise<void> {
    const { conversationId: id } = context;
    if (id === null || response.status === 'failed') return;
    const items = [...input, ...outputItemsOf(response)];
    await this.#conversations.append(transaction, { owner, id }, items).catch((error: unknown) => {
      const isDeleted = error instanceof ApiError && error.code === 'NOT_FOUND';
      if (!isDeleted) throw error;
    });
  }

  /** A step of the sweep: deletes expired responses with their items. */
  readonly deleteExpired: SweepStep = async () => {
    const { store, clock } = this.#services;
    const rows = await store.db
      .selectFrom('chat_model_responses')
      .select('id')
      .where('expires_at', '<=', clock.now())
      .limit(stepSize)
      .execute();
    const ids = rows.map(({ id }) => id);
    await store.transaction((transaction) =>
      deleteWithItems(transaction, 'chat_model_responses', ids),
    );
    return ids.length;
  };

  /**
   * Returns the ids of a response and its ancestors, oldest first; null if one of them is missing.
   *
   * @throws ApiError `VALIDATION_ERROR` if one of them has not ended.
   */
  async #chain(owner: string, id: string | null): Promise<string[] | null> {
    if (id === null) return [];
    const { store, clock } = this.#services;
    const { rows } = await readChain(store.db, { owner, id, now: clock.now() });
    if (rows.length === 0 || rows[0]?.previous_response_id !== null) return null;
    const pending = rows.find(({ status }) => status === 'queued' || status === 'in_progress');
    if (pending) {
      throw new ApiError('VALIDATION_ERROR', `The response \`${pending.id}\` has not ended yet.`, {
        param: 'previous_response_id',
      });
    }
    return rows.map((row) => row.id);
  }
}

function outputItemsOf({ output }: ResponseObject): NewItem[] {
  return output.map((item) => ({ id: item.id, source: 'output', item }));
}

/** Serializes a response without its output items, which are stored in separate rows. */
export function serializeResponse({ output: _, ...response }: ResponseObject): string {
  return stringifyExact(response);
}

interface ChainRow {
  id: string;
  previous_response_id: string | null;
  status: string;
}

function readChain(
  db: Kysely<Schema>,
  { owner, id, now }: { owner: string; id: string; now: number },
) {
  const isVisible = (table: string) =>
    sql`${sql.ref(`${table}.owner`)} = ${owner} and ${sql.ref(`${table}.expires_at`)} > ${now}`;
  return sql<ChainRow>`
    with recursive chain (id, previous_response_id, status, depth) as (
      select first.id, first.previous_response_id, first.status, 0
      from chat_model_responses as first where first.id = ${id} and ${isVisible('first')}
      union all
      select older.id, older.previous_response_id, older.status, chain.depth + 1
      from chat_model_responses as older
        inner join chain on older.id = chain.previous_response_id
      where ${isVisible('older')}
    )
    select id, previous_response_id, status from chain order by depth desc`.execute(db);
}

function noPreviousResponse(id: string): ApiError {
  return new ApiError(
    'VALIDATION_ERROR',
    `The response \`${id.slice(0, 100)}\`, or one that it continues, does not exist: it was created with \`store: false\`, was deleted, or has expired.`,
    { param: 'previous_response_id', familyCode: 'previous_response_not_found' },
  );
}
