import {
  AssetPage,
  AssetResource,
  DatabaseEventPage,
  type DatabaseField,
  DatabasePage,
  DatabaseResource,
  LibraryPage,
  LibraryResource,
  MediaEventPage,
} from '@inlay/protocol';
import type * as z from 'zod/mini';
import { type Call, wait } from './call.ts';
import { type PageParams, pageQuery } from './page-query.ts';
import { PlatformError } from './platform-error.ts';
import { rejectUnknown } from './reject-unknown.ts';
import { maximumDelayMs, requireDelay } from './require-delay.ts';

/** Settings of a database or a media library. */
export interface RegistrySettings {
  /** 1 to 200 characters. */
  name: string;
  /** At most 1,000 characters. */
  description?: string | null;
}

/** Parameters of a page of an event log. */
export interface EventLogParams {
  /** Only later events, oldest first. */
  after_seq?: number;
  /** Only earlier events, newest first. Cannot be combined with `after_seq`. */
  before_seq?: number;
  /** @default 'asc', or 'desc' if only `before_seq` is given */
  order?: 'asc' | 'desc';
  /**
   * 1 to 200.
   *
   * @default 50
   */
  limit?: number;
}

export interface FollowOptions {
  /**
   * `seq` of the last event that the caller has handled. The iteration starts with the next event.
   *
   * @default 0
   */
  afterSeq?: number;
  /**
   * Milliseconds between two requests when there are no more events, from 1 to 2,147,483,647.
   *
   * @default 5_000
   */
  intervalMs?: number;
  /** Ends the iteration, which throws the signal's reason. */
  signal?: AbortSignal;
}

/** Settings of a field of a table. */
export type FieldSettings = Pick<DatabaseField, 'name' | 'type'> & { required?: boolean };

/** Settings of a table. */
export interface TableSettings extends RegistrySettings {
  fields?: readonly FieldSettings[];
}

/** Settings of an asset of a media library. */
export interface AssetSettings {
  name: string;
  /** `https:` URL of the file. */
  url: string;
  /** Media type of the file, such as `video/mp4`. */
  media_type?: string | null;
}

/** Methods for databases and media libraries. */
export function registryCalls(call: Call) {
  return {
    databases: {
      ...lifecycleCalls(call, 'databases', '/database/v1/databases', {
        resource: DatabaseResource,
        page: DatabasePage,
        events: DatabaseEventPage,
      }),
      ...tableCalls(call),
    },
    mediaLibraries: {
      ...lifecycleCalls(call, 'mediaLibraries', '/media/v1/libraries', {
        resource: LibraryResource,
        page: LibraryPage,
        events: MediaEventPage,
      }),
      ...assetCalls(call),
    },
  };
}

/** Schema of a page of an event log. */
type EventPageSchema = z.ZodMiniType<{ data: { seq: number }[]; next_cursor: string | null }>;

function lifecycleCalls<
  Resource extends z.ZodMiniType,
  Page extends z.ZodMiniType,
  Events extends EventPageSchema,
>(
  call: Call,
  name: 'databases' | 'mediaLibraries',
  prefix: string,
  schemas: { resource: Resource; page: Page; events: Events },
) {
  const { resource, page, events } = schemas;
  const readEvents = (
    id: string,
    query: Record<string, string | number | undefined>,
    signal?: AbortSignal,
  ) => call('GET', [id, 'events'], events, { prefix, query, signal });

  return {
    /** Lists the databases or libraries that are not deleted, newest first. */
    list: async (params: PageParams = {}) =>
      call('GET', [], page, { prefix, query: pageQuery(`${name}.list`, params) }),

    create: (settings: RegistrySettings) =>
      call('POST', [], resource, { prefix, body: settings, retry: 'rejected' }),

    get: (id: string) => call('GET', [id], resource, { prefix }),

    /** Changes the name or the description. */
    update: (id: string, changes: Partial<RegistrySettings>) =>
      call('POST', [id], resource, { prefix, body: changes }),

    /** Schedules a deletion in seven days. Until then, the database or library can be restored. */
    delete: (id: string) => call('DELETE', [id], resource, { prefix, retry: 'rejected' }),

    restore: (id: string) => call('POST', [id, 'restore'], resource, { prefix, retry: 'rejected' }),

    /** Reads a page of the event log. */
    events: async (
      id: string,
      { after_seq, before_seq, order, limit, ...unknown }: EventLogParams = {},
    ) => {
      rejectUnknown(`${name}.events`, unknown, 'after_seq, before_seq, order and limit');
      return readEvents(id, { after_seq, before_seq, order, limit });
    },

    /**
     * Follows the event log: yields each event after `afterSeq` once, in order, and waits for more.
     * Retries after temporary failures.
     *
     * @throws PlatformError `INVALID_OPTION` for an invalid `intervalMs` or an unknown option; otherwise
     *   the first error that is not retryable, such as `NOT_FOUND`.
     */
    async *follow(
      id: string,
      { afterSeq = 0, intervalMs = 5_000, signal, ...unknown }: FollowOptions = {},
    ): AsyncGenerator<z.infer<Events>['data'][number], never, undefined> {
      rejectUnknown(`${name}.follow`, unknown, 'afterSeq, intervalMs and signal');
      requireDelay('intervalMs', intervalMs);
      let lastSeq = afterSeq;
      for (;;) {
        let delayMs = intervalMs;
        try {
          const { data, next_cursor } = await readEvents(
            id,
            { after_seq: lastSeq, limit: 200 },
            signal,
          );
          if (next_cursor !== null) delayMs = 0;
          for (const event of data) {
            signal?.throwIfAborted();
            yield event;
            lastSeq = event.seq;
          }
        } catch (error) {
          if (!(error instanceof PlatformError) || !error.retryable) throw error;
          const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
          delayMs = Math.min(Math.max(intervalMs, retryAfterMs), maximumDelayMs);
        }
        if (delayMs > 0) await wait(delayMs, signal);
      }
    },
  };
}

function tableCalls(call: Call) {
  const change = (method: 'POST' | 'DELETE', path: readonly string[], body?: object) =>
    call(method, path, DatabaseResource, {
      prefix: '/database/v1/databases',
      body,
      retry: 'rejected',
    });

  return {
    /**
     * Creates a table. Like all methods for tables and fields, resolves with the whole database.
     */
    createTable: (id: string, settings: TableSettings) => change('POST', [id, 'tables'], settings),
    updateTable: (id: string, tableId: string, changes: Partial<RegistrySettings>) =>
      change('POST', [id, 'tables', tableId], changes),
    deleteTable: (id: string, tableId: string) => change('DELETE', [id, 'tables', tableId]),
    addField: (id: string, tableId: string, settings: FieldSettings) =>
      change('POST', [id, 'tables', tableId, 'fields'], settings),
    updateField: (id: string, tableId: string, fieldId: string, changes: Partial<FieldSettings>) =>
      change('POST', [id, 'tables', tableId, 'fields', fieldId], changes),
    deleteField: (id: string, tableId: string, fieldId: string) =>
      change('DELETE', [id, 'tables', tableId, 'fields', fieldId]),
  };
}

function assetCalls(call: Call) {
  const prefix = '/media/v1/libraries';

  return {
    /** Lists the assets of a library, newest first. */
    listAssets: async (id: string, params: PageParams = {}) =>
      call('GET', [id, 'assets'], AssetPage, {
        prefix,
        query: pageQuery('mediaLibraries.listAssets', params),
      }),
    createAsset: (id: string, settings: AssetSettings) =>
      call('POST', [id, 'assets'], AssetResource, {
        prefix,
        body: settings,
        retry: 'rejected',
      }),
    getAsset: (id: string, assetId: string) =>
      call('GET', [id, 'assets', assetId], AssetResource, { prefix }),
    updateAsset: (id: string, assetId: string, changes: Partial<AssetSettings>) =>
      call('POST', [id, 'assets', assetId], AssetResource, { prefix, body: changes }),
    deleteAsset: (id: string, assetId: string) =>
      call('DELETE', [id, 'assets', assetId], AssetResource, { prefix, retry: 'rejected' }),
  };
}
