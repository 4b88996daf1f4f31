import type { Metadata } from '@inlay/protocol';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { dayMs } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import { stepSize } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ChatModelConversationsTable, Schema } from '../store/schema.ts';
import {
  type Item,
  type ItemObject,
  type ItemRow,
  insertItems,
  newItemId,
  nextSeq,
  toItem,
  typeOf,
} from './items.ts';
import { type ListQuery, toList, unknownCursor } from './lists.ts';

type ConversationRow = Selectable<ChatModelConversationsTable>;
type ConversationServices = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config'>;

/** Conversations and their items (docs/conformance.md, 4.13.6). */
export class Conversations {
  readonly #services: ConversationServices;

  constructor(services: ConversationServices) {
    this.#services = services;
  }

  async create(owner: string, metadata: Metadata, items: readonly Item[]): Promise<object> {
    const { store, clock, random } = this.#services;
    const now = clock.now();
    const row: ConversationRow = {
      id: newIdAt(random, now, 'conv_'),
      owner,
      metadata: JSON.stringify(metadata),
      created_at: now,
      active_at: now,
    };
    await store.transaction(async (transaction) => {
      await transaction.insertInto('chat_model_conversations').values(row).execute();
      await insertItems(transaction, row.id, 0, this.withIds(items));
    });
    return toConversation(row);
  }

  /** @throws ApiError `NOT_FOUND` */
  async read(owner: string, id: string): Promise<object> {
    return toConversation(await this.find(owner, id));
  }

  /** Replaces the metadata. */
  async update(owner: string, id: string, metadata: Metadata): Promise<object> {
    const row = await this.#services.store.db
      .updateTable('chat_model_conversations')
      .set({ metadata: JSON.stringify(metadata) })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw conversationNotFound(id);
    return toConversation(row);
  }

  /** Deletes a conversation with its items. */
  async delete(owner: string, id: string): Promise<void> {
    const { store } = this.#services;
    await store.transaction(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('chat_model_conversations')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw conversationNotFound(id);
      await transaction.deleteFrom('chat_model_items').where('parent_id', '=', id).execute();
    });
  }

  /** Appends items, and returns them as stored. */
  async addItems(owner: string, id: string, items: readonly Item[]): Promise<ItemObject[]> {
    const rows = await this.#services.store.transaction((transaction) =>
      this.append(transaction, { owner, id }, this.withIds(items)),
    );
    return rows.map(toItem);
  }

  /**
   * Appends items in a transaction.
   *
   * @throws ApiError `NOT_FOUND`
   */
  async append(
    transaction: Transaction<Schema>,
    { owner, id }: { owner: string; id: string },
    items: Parameters<typeof insertItems>[3],
  ): Promise<ItemRow[]> {
    // The update locks the row, so that the items of concurrent requests get different `seq`.
    const { numUpdatedRows } = await transaction
      .updateTable('chat_model_conversations')
      .set({ active_at: this.#services.clock.now() })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw conversationNotFound(id);
    return insertItems(transaction, id, await nextSeq(transaction, id), items);
  }

  async listItems(owner: string, id: string, { limit, order, after }: ListQuery) {
    await this.find(owner, id);
    const { db } = this.#services.store;
    let query = db
      .selectFrom('chat_model_items')
      .select(['id', 'json'])
      .where('parent_id', '=', id)
      .orderBy('seq', order)
      .limit(limit + 1);
    if (after !== undefined) {
      const { seq } = await this.#findItem(id, after, unknownCursor);
      query = query.where('seq', order === 'asc' ? '>' : '<', seq);
    }
    return toList((await query.execute()).map(toItem), limit);
  }

  async readItem(owner: string, id: string, itemId: string): Promise<ItemObject> {
    await this.find(owner, id);
    return toItem(await this.#findItem(id, itemId, () => itemNotFound(itemId)));
  }

  /** Deletes an item, and returns the conversation. */
  async deleteItem(owner: string, id: string, itemId: string): Promise<object> {
    const row = await this.find(owner, id);
    const { numDeletedRows } = await this.#services.store.db
      .deleteFrom('chat_model_items')
      .where('parent_id', '=', id)
      .where('id', '=', itemId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw itemNotFound(itemId);
    return toConversation(row);
  }

  /**
   * Finds a conversation.
   *
   * @throws ApiError `NOT_FOUND` if it does not exist or belongs to another owner.
   */
  async find(owner: string, id: string): Promise<ConversationRow> {
    const row = await this.#services.store.db
      .selectFrom('chat_model_conversations')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (!row) throw conversationNotFound(id);
    return row;
  }

  /**
   * A step of the sweep: deletes conversations without new items for
   * `retention.conversations_days`.
   */
  readonly deleteOld = async (): Promise<number> => {
    const { store, clock, config } = this.#services;
    const days = config.retention.conversations_days;
    if (days === null) return 0;
    return store.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('chat_model_conversations')
        .select('id')
        .where('active_at', '<', clock.now() - days * dayMs)
        .orderBy('active_at')
        .limit(stepSize)
        .forUpdate()
        .execute();
      await deleteWithItems(
        transaction,
        'chat_model_conversations',
        rows.map(({ id }) => id),
      );
      return rows.length;
    });
  };

  /** Assigns new ids to items. */
  withIds(items: readonly Item[]): { id: string; source: 'input'; item: Item }[] {
    return items.map((item) => ({
      id: newItemId(this.#services, typeOf(item)),
      source: 'input',
      item,
    }));
  }

  async #findItem(parentId: string, id: string, error: () => ApiError) {
    const row = await this.#services.store.db
      .selectFrom('chat_model_items')
      .select(['seq', 'id', 'json'])
      .where('parent_id', '=', parentId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw error();
    return row;
  }
}

/** Deletes conversations or responses, with their items and events. */
export async function deleteWithItems(
  db: Kysely<Schema>,
  table: 'chat_model_conversations' | 'chat_model_responses',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom(table).where('id', 'in', ids).execute();
  await db.deleteFrom('chat_model_items').where('parent_id', 'in', ids).execute();
  await db.deleteFrom('chat_model_response_events').where('response_id', 'in', ids).execute();
}

function toConversation({ id, metadata, created_at }: ConversationRow): object {
  return {
    id,
    object: 'conversation',
    created_at: Math.floor(Number(created_at) / 1000),
    metadata: JSON.parse(metadata),
  };
}

function conversationNotFound(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no conversation \`${id.slice(0, 100)}\`.`, {
    familyCode: 'conversation_not_found',
  });
}

function itemNotFound(id: string): ApiError {
  const detail = `There is no item \`${id.slice(0, 100)}\` in this conversation.`;
  return new ApiError('NOT_FOUND', detail, { familyCode: 'item_not_found' });
}
