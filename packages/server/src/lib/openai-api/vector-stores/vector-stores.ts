import { describeChange } from '../../audit/audit.ts';
import { dayMs } from '../../clock.ts';
import { ApiError } from '../../problems/api-error.ts';
import { newIdAt } from '../../random.ts';
import type { ServiceOptions } from '../../service-options.ts';
import { toList } from '../lists.ts';
import { toFileCounts } from './file-counts.ts';
import { readPage } from './read-page.ts';
import type { VectorStoreFiles } from './vector-store-files.ts';
import type {
  CreateVectorStore,
  UpdateVectorStore,
  VectorStoreList,
} from './vector-store-requests.ts';
import {
  hasExpired,
  lockStore,
  requireActive,
  seconds,
  type VectorStoreRow,
  vectorStoreNotFound,
} from './vector-store-rows.ts';

type VectorStoreServices = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config'>;

/** Vector stores: create, list, read, update and delete. */
export class VectorStores {
  readonly #services: VectorStoreServices;
  readonly #files: Pick<VectorStoreFiles, 'attach' | 'requireFiles'>;

  constructor(
    services: VectorStoreServices,
    files: Pick<VectorStoreFiles, 'attach' | 'requireFiles'>,
  ) {
    this.#services = services;
    this.#files = files;
  }

  /** @throws ApiError `NOT_FOUND` for an unknown file; `VALIDATION_ERROR` if a limit is reached. */
  async create(owner: string, body: CreateVectorStore): Promise<object> {
    const { store, clock, random, config } = this.#services;
    const ids = body.file_ids ?? [];
    await this.#files.requireFiles(owner, ids);
    const now = clock.now();
    const days = body.expires_after?.days ?? null;
    const row: VectorStoreRow = {
      id: newIdAt(random, now, 'vs_'),
      name: body.name ?? '',
      description: body.description ?? null,
      metadata: JSON.stringify(body.metadata ?? {}),
      expires_days: days,
      expires_at: days === null ? null : now + days * dayMs,
      is_expired: 0,
      usage_bytes: 0,
      files_in_progress: 0,
      files_completed: 0,
      files_failed: 0,
      files_cancelled: 0,
      created_at: now,
      last_active_at: now,
    };
    const maximum = config.limits.vector_stores.stores;
    describeChange({ subject: `vector_stores/${row.id}` });
    return store.transaction(async (transaction) => {
      await store.lock(transaction, 'vector_stores');
      const { count } = await transaction
        .selectFrom('vector_stores')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= maximum) {
        throw new ApiError(
          'VALIDATION_ERROR',
          `There are ${maximum} vector stores already, which is the maximum. Delete one first.`,
          { familyCode: 'vector_store_limit_exceeded' },
        );
      }
      await transaction.insertInto('vector_stores').values(row).execute();
      const files = ids.map((id) => ({
        file_id: id,
        attributes: {},
        chunking_strategy: body.chunking_strategy,
      }));
      await this.#files.attach(transaction, row.id, files, null);
      return toVectorStore({ ...row, files_in_progress: files.length }, now);
    });
  }

  async list(query: VectorStoreList) {
    const { store, clock } = this.#services;
    const { db } = store;
    const rows = await readPage(query, {
      idColumn: 'id',
      find: (id) =>
        db
          .selectFrom('vector_stores')
          .select(['created_at', 'id'])
          .where('id', '=', id)
          .executeTakeFirst(),
      select: (condition, order, limit) =>
        db
          .selectFrom('vector_stores')
          .selectAll()
          .where(condition)
          .orderBy('created_at', order)
          .orderBy('id', order)
          .limit(limit)
          .execute(),
    });
    return toList(
      rows.map((row) => toVectorStore(row, clock.now())),
      query.limit,
    );
  }

  async read(id: string): Promise<object> {
    return toVectorStore(await this.find(id), this.#services.clock.now());
  }

  /** Replaces the members that the request has. */
  async update(id: string, body: UpdateVectorStore): Promise<object> {
    const { store, clock } = this.#services;
    return store.transaction(async (transaction) => {
      const row = await lockStore(transaction, id);
      if (body.expires_after !== undefined) requireActive(row, clock.now());
      const days = body.expires_after === undefined ? row.expires_days : body.expires_after?.days;
      const changed = {
        ...row,
        ...(body.name !== undefined && { name: body.name ?? '' }),
        ...(body.metadata !== undefined && { metadata: JSON.stringify(body.metadata ?? {}) }),
        expires_days: days ?? null,
        expires_at: days ? Number(row.last_active_at) + days * dayMs : null,
      };
      const { name, metadata, expires_days, expires_at } = changed;
      await transaction
        .updateTable('vector_stores')
        .set({ name, metadata, expires_days, expires_at })
        .where('id', '=', id)
        .execute();
      return toVectorStore(changed, clock.now());
    });
  }

  /** Deletes a vector store. Its contents are deleted in the background. */
  async delete(id: string): Promise<void> {
    await this.#services.store.transaction(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('vector_stores')
        .where('id', '=', id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw vectorStoreNotFound(id);
      await transaction
        .insertInto('vector_store_deletions')
        .values({ id, kind: 'store' })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** @throws ApiError `NOT_FOUND` */
  async find(id: string): Promise<VectorStoreRow> {
    const row = await this.#services.store.db
      .selectFrom('vector_stores')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw vectorStoreNotFound(id);
    return row;
  }
}

function toVectorStore(row: VectorStoreRow, now: number) {
  const counts = toFileCounts(row);
  const status = counts.in_progress > 0 ? 'in_progress' : 'completed';
  return {
    id: row.id,
    object: 'vector_store',
    created_at: seconds(row.created_at),
    name: row.name,
    ...(row.description !== null && { description: row.description }),
    usage_bytes: Number(row.usage_bytes),
    file_counts: counts,
    status: hasExpired(row, now) ? 'expired' : status,
    ...(row.expires_days !== null && {
      expires_after: { anchor: 'last_active_at', days: row.expires_days },
    }),
    expires_at: row.expires_at === null ? null : seconds(row.expires_at),
    last_active_at: seconds(row.last_active_at),
    metadata: JSON.parse(row.metadata),
  };
}
