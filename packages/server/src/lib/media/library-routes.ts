import {
  AssetPage,
  AssetResource,
  idPrefix,
  LibraryPage,
  LibraryResource,
  MediaEventPage,
} from '@inlay/protocol';
import type { Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { describeChange } from '../audit/audit.ts';
import { isoTime } from '../clock.ts';
import { decodeCursor, isAfter, toPage } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { notFound } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import type { ChangeDraft } from '../registries/change-log.ts';
import { ListQuery, Name, Registry, toResource } from '../registries/registry.ts';
import { registryRoutes } from '../registries/registry-routes.ts';
import type { Services } from '../services.ts';
import type { MediaAssetsTable, Schema } from '../store/schema.ts';

const base = '/media/v1/libraries';

type AssetRow = Selectable<MediaAssetsTable>;

const Url = z
  .url({ protocol: /^https$/, error: 'must be an https: URL' })
  .max(2000, 'must have at most 2000 characters');
const MediaType = z
  .string()
  .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as video/mp4')
  .max(200, 'must have at most 200 characters');

const CreateAssetRequest = z
  .strictObject({
    name: Name,
    url: Url,
    media_type: MediaType.nullable().default(null),
  })
  .meta({ id: 'CreateAssetRequest' });
const UpdateAssetRequest = z
  .strictObject({
    name: Name.optional(),
    url: Url.optional(),
    media_type: MediaType.nullable().optional(),
  })
  .meta({ id: 'UpdateAssetRequest' });

/**
 * Routes of media libraries, their assets and their event logs
 * (docs/conformance.md, 2.6, 4.11 and 6.2). The platform stores the URLs of the files, not the files.
 */
export function libraryRoutes(services: Services): Route[] {
  const { store, clock, random } = services;
  const registry = new Registry(services, 'library');
  const tag = 'Media libraries';
  const assets = `${base}/:id/assets`;
  const shared = {
    audience: 'backend',
    tag,
    beta: true,
    response: AssetResource,
    problems: ['NOT_FOUND', 'CONFLICT'],
  } as const;
  const findAsset = async (db: Kysely<Schema>, libraryId: string, id: string) => {
    const row = await db
      .selectFrom('media_assets')
      .selectAll()
      .where('id', '=', id)
      .where('library_id', '=', libraryId)
      .executeTakeFirst();
    if (!row) throw notFound('The media library has no such asset.');
    return row;
  };
  /**
   * Changes an asset, and returns it. The asset is read under the lock of its library, so that the
   * events of concurrent changes have the order in which the changes took effect.
   */
  const changeAsset = async (
    libraryId: string,
    id: string,
    work: (asset: AssetRow, transaction: Transaction<Schema>) => Promise<ChangeDraft[]>,
  ) => {
    let asset: AssetRow | undefined;
    await registry.change(libraryId, async (_, transaction) => {
      asset = await findAsset(transaction, libraryId, id);
      return work(asset, transaction);
    });
    return toAsset(asset as AssetRow);
  };

  return [
    ...registryRoutes(services, {
      registry,
      base,
      tag,
      noun: 'a media library',
      typeName: 'Library',
      resource: LibraryResource,
      page: LibraryPage,
      events: MediaEventPage,
      toResource,
    }),

    route(
      {
        ...shared,
        method: 'get',
        path: assets,
        summary: 'List the assets of a media library, newest first',
        query: ListQuery,
        response: AssetPage,
        problems: ['NOT_FOUND'],
      },
      async ({ param, query }) => {
        const { id } = await registry.find(param('id'));
        const position = decodeCursor(id, query.page);
        const rows = await store.db
          .selectFrom('media_assets')
          .selectAll()
          .where('library_id', '=', id)
          .where(isAfter('created_at', position))
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(query.limit + 1)
          .execute();
        return toPage(id, rows, query.limit, ({ created_at }) => Number(created_at), toAsset);
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: assets,
        summary: 'Register an asset',
        description: 'The platform does not fetch the file.',
        body: CreateAssetRequest,
      },
      async ({ param, body }) => {
        const now = clock.now();
        const id = newIdAt(random, now, idPrefix.asset);
        const row = { id, library_id: param('id'), ...body, created_at: now, updated_at: now };
        describeChange({ subject: `libraries/${row.library_id}/assets/${id}` });
        await registry.change(row.library_id, async (_, transaction) => {
          await transaction.insertInto('media_assets').values(row).execute();
          return [{ type: 'asset.created', asset_id: id }];
        });
        return toAsset(row);
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${assets}/:asset`,
        summary: 'Read an asset',
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => toAsset(await findAsset(store.db, param('id'), param('asset'))),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${assets}/:asset`,
        summary: 'Change an asset',
        description: 'Members that are left out keep their value. Identical values cause no event.',
        body: UpdateAssetRequest,
      },
      async ({ param, body }) => {
        return changeAsset(param('id'), param('asset'), async (asset, transaction) => {
          const detail = Object.fromEntries(
            Object.entries(body).filter(
              ([name, value]) => value !== undefined && asset[name as keyof typeof asset] !== value,
            ),
          );
          if (Object.keys(detail).length === 0) return [];
          const set = { ...detail, updated_at: clock.now() };
          await transaction
            .updateTable('media_assets')
            .set(set)
            .where('id', '=', asset.id)
            .execute();
          Object.assign(asset, set);
          return [{ type: 'asset.updated', asset_id: asset.id, detail }];
        });
      },
    ),

    route(
      { ...shared, method: 'delete', path: `${assets}/:asset`, summary: 'Delete an asset' },
      ({ param }) =>
        changeAsset(param('id'), param('asset'), async ({ id }, transaction) => {
          await transaction.deleteFrom('media_assets').where('id', '=', id).execute();
          return [{ type: 'asset.deleted', asset_id: id }];
        }),
    ),
  ];
}

function toAsset(row: AssetRow): AssetResource {
  return {
    ...row,
    created_at: isoTime(Number(row.created_at)),
    updated_at: isoTime(Number(row.updated_at)),
  };
}
