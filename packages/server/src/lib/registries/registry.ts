import { idPrefix } from '@inlay/protocol';
import type { Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { describeChange } from '../audit/audit.ts';
import { dayMs, isoTime } from '../clock.ts';
import { decodeCursor, isAfter, pageQuery, toPage } from '../http/paging.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import { type SweepStep, stepSize } from '../retention/sweep-step.ts';
import type { Services } from '../services.ts';
import type { RegistriesTable, Schema } from '../store/schema.ts';
import { appendChanges, type ChangeDraft } from './change-log.ts';

/** Milliseconds for which a deleted database or library can be restored. */
const restoreTime = 7 * dayMs;

export type RegistryRow = Selectable<RegistriesTable>;
type Kind = RegistryRow['kind'];
type RegistryServices = Pick<Services, 'store' | 'clock' | 'random'>;

const paths: Record<Kind, string> = { database: 'databases', library: 'libraries' };
const nouns: Record<Kind, string> = { database: 'database', library: 'media library' };

/** Display name of a database, a table, a field, a media library or an asset. */
export const Name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters');
export const Description = z.string().max(1000, 'must have at most 1000 characters').nullable();

export const CreateRequest = z.strictObject({
  name: Name,
  description: Description.default(null),
});
export const UpdateRequest = z.strictObject({
  name: Name.optional(),
  description: Description.optional(),
});

export const ListQuery = z.looseObject(pageQuery);

/** Changes a row, and returns the events of the change. */
type RowChange = (
  row: RegistryRow,
  transaction: Transaction<Schema>,
) => Promise<ChangeDraft[]> | ChangeDraft[];

/**
 * All databases, or all media libraries. Each is first `active`, after a deletion `deleting` for seven
 * days, and then `deleted`. Each has a log, with an event for every change of this status.
 */
export class Registry {
  readonly #services: RegistryServices;
  readonly #kind: Kind;

  constructor(services: RegistryServices, kind: Kind) {
    this.#services = services;
    this.#kind = kind;
  }

  /** Lists the databases or libraries that are not deleted, newest first. */
  async list(query: z.output<typeof ListQuery>) {
    const position = decodeCursor(this.#kind, query.page);
    const rows = await this.#services.store.db
      .selectFrom('registries')
      .selectAll()
      .where('kind', '=', this.#kind)
      .where('status', '!=', 'deleted')
      .where(isAfter('created_at', position))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute();
    return toPage(
      this.#kind,
      rows,
      query.limit,
      ({ created_at }) => Number(created_at),
      (row) => row,
    );
  }

  /** @throws ApiError `NOT_FOUND` */
  async find(id: string): Promise<RegistryRow> {
    const row = await this.#services.store.db
      .selectFrom('registries')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', this.#kind)
      .executeTakeFirst();
    if (!row) throw notFound(`There is no such ${nouns[this.#kind]}.`);
    return row;
  }

  async create(settings: z.output<typeof CreateRequest>): Promise<RegistryRow> {
    const { store, clock, random } = this.#services;
    const now = clock.now();
    const row: RegistryRow = {
      id: newIdAt(random, now, idPrefix[this.#kind]),
      kind: this.#kind,
      ...settings,
      status: 'active',
      deletes_at: null,
      content: '[]',
      created_at: now,
      updated_at: now,
    };
    describeChange({ subject: `${paths[this.#kind]}/${row.id}`, after: settings });
    await store.transaction(async (transaction) => {
      await transaction.insertInto('registries').values(row).execute();
      const types = ['provisioning', 'active'].map((status) => this.#statusEvent(status));
      await this.#append(transaction, row, types);
    });
    return row;
  }

  /** Changes the name or the description, without an event in the log. */
  async update(id: string, changes: z.output<typeof UpdateRequest>): Promise<RegistryRow> {
    return this.change(id, (row) => {
      row.name = changes.name ?? row.name;
      if (changes.description !== undefined) row.description = changes.description;
      return [];
    });
  }

  /** Schedules a deletion in seven days. Until then, the database or library can be restored. */
  async delete(id: string): Promise<RegistryRow> {
    const { clock } = this.#services;
    return this.change(id, (row) => {
      row.status = 'deleting';
      row.deletes_at = clock.now() + restoreTime;
      return [this.#statusEvent('deleting')];
    });
  }

  async restore(id: string): Promise<RegistryRow> {
    return this.#write(id, (row) => {
      if (row.status !== 'deleting') {
        throw new ApiError(
          'CONFLICT',
          `This ${nouns[this.#kind]} is ${row.status}. Only one that is \`deleting\` can be restored.`,
        );
      }
      row.status = 'active';
      row.deletes_at = null;
      return [{ type: `${this.#kind}.restored` }];
    });
  }

  /**
   * Changes an active database or library, and appends the events of the change.
   *
   * @throws ApiError `NOT_FOUND`, or `CONFLICT` if it is not active.
   */
  change(id: string, work: RowChange): Promise<RegistryRow> {
    return this.#write(id, (row, transaction) => {
      if (row.status === 'active') return work(row, transaction);
      throw new ApiError(
        'CONFLICT',
        `This ${nouns[this.#kind]} is ${row.status}. Restore it first.`,
      );
    });
  }

  /** A step of the sweep: deletes databases or libraries that became `deleting` seven days ago. */
  readonly deleteExpired: SweepStep = async () => {
    const { store, clock } = this.#services;
    const rows = await store.db
      .selectFrom('registries')
      .select('id')
      .where('kind', '=', this.#kind)
      .where('status', '=', 'deleting')
      .where('deletes_at', '<=', clock.now())
      .limit(stepSize)
      .execute();
    for (const { id } of rows) {
      await this.#write(id, async (row, transaction) => {
        // The row was restored, or deleted by another process, in the meantime.
        if (row.status !== 'deleting' || Number(row.deletes_at) > clock.now()) return [];
        await transaction.deleteFrom('media_assets').where('library_id', '=', id).execute();
        Object.assign(row, { status: 'deleted', deletes_at: null, content: '[]' });
        return [this.#statusEvent('deleted')];
      });
    }
    return rows.length;
  };

  async #write(id: string, work: RowChange): Promise<RegistryRow> {
    const { store, clock } = this.#services;
    await this.find(id);
    return store.transaction(async (transaction) => {
      await store.lock(transaction, `registry:${id}`);
      const row = await transaction
        .selectFrom('registries')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const drafts = await work(row, transaction);
      row.updated_at = clock.now();
      const { id: _, ...columns } = row;
      await transaction.updateTable('registries').set(columns).where('id', '=', id).execute();
      if (drafts.length > 0) await this.#append(transaction, row, drafts);
      return row;
    });
  }

  #append(
    transaction: Transaction<Schema>,
    { id }: RegistryRow,
    drafts: readonly ChangeDraft[],
  ): Promise<void> {
    const owner = { [`${this.#kind}_id`]: id };
    const events = drafts.map(({ type, ...members }) => ({ type, ...owner, ...members }));
    return appendChanges(this.#services, transaction, id, events);
  }

  #statusEvent(status: string): ChangeDraft {
    return { type: `${this.#kind}.status_${status}` };
  }
}

/** Returns the members that databases and libraries share in the API. */
export function toResource(row: RegistryRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    deletes_at: row.deletes_at === null ? null : isoTime(Number(row.deletes_at)),
    created_at: isoTime(Number(row.created_at)),
    updated_at: isoTime(Number(row.updated_at)),
  };
}
