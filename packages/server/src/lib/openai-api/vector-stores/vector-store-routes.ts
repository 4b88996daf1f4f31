import type { Context } from 'hono';
import type { AppEnv } from '../../http/env.ts';
import { type Route, route } from '../../http/route.ts';
import { streamBody } from '../../http/stream-body.ts';
import type { Services } from '../../services.ts';
import type { Family } from '../../upstreams/families.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import {
  AddFile,
  CreateBatch,
  CreateVectorStore,
  SearchRequest,
  UpdateFile,
  UpdateVectorStore,
  VectorStoreFileList,
  VectorStoreList,
} from './vector-store-requests.ts';
import type { VectorStoreWork } from './vector-store-work.ts';

/**
 * Milliseconds after which the official clients ask again for the status of a file or batch. Without
 * this header, they wait five seconds.
 */
const pollInterval = 500;

/** The 16 operations of vector stores (docs/conformance.md, 4.13). */
export function vectorStoreRoutes(
  services: Services,
  {
    files: uploads,
    vectorStoreWork: work,
  }: { files: ChatModelFiles; vectorStoreWork: VectorStoreWork },
  family: Family,
): Route[] {
  const base = `${family.prefix}${family.version}/vector_stores`;
  const common = { audience: 'backend', tag: 'Vector stores', response: null } as const;
  const storeRoute = { ...common, path: `${base}/:id` } as const;
  const filesRoute = { ...common, path: `${base}/:id/files` } as const;
  const fileRoute = { ...common, path: `${base}/:id/files/:file_id` } as const;
  const batchRoute = { ...common, path: `${base}/:id/file_batches/:batch_id` } as const;
  // Loaded on first use, so that the server starts faster.
  let loaded: Promise<Operations> | undefined;
  const load = () => {
    loaded ??= loadOperations(services, uploads);
    return loaded;
  };
  const withPollInterval = (c: Context<AppEnv>, object: { status: string }) => {
    if (object.status === 'in_progress') c.header('openai-poll-after-ms', String(pollInterval));
    return object;
  };

  return [
    route(
      {
        ...common,
        method: 'post',
        path: base,
        summary: 'Create a vector store',
        body: CreateVectorStore,
      },
      async ({ caller, body }) => {
        const { stores } = await load();
        const created = await stores.create(caller.owner, body);
        work.wake();
        return created;
      },
    ),
    route(
      {
        ...common,
        method: 'get',
        path: base,
        summary: 'List the vector stores',
        query: VectorStoreList,
      },
      async ({ query }) => (await load()).stores.list(query),
    ),
    route({ ...storeRoute, method: 'get', summary: 'Read a vector store' }, async ({ param }) =>
      (await load()).stores.read(param('id')),
    ),
    route(
      { ...storeRoute, method: 'post', summary: 'Change a vector store', body: UpdateVectorStore },
      async ({ param, body }) => (await load()).stores.update(param('id'), body),
    ),
    route(
      { ...storeRoute, method: 'delete', summary: 'Delete a vector store' },
      async ({ param }) => {
        const id = param('id');
        await (await load()).stores.delete(id);
        work.wake();
        return { id, object: 'vector_store.deleted', deleted: true };
      },
    ),
    route(
      {
        ...storeRoute,
        path: `${base}/:id/search`,
        method: 'post',
        summary: 'Search a vector store',
        body: SearchRequest,
      },
      async ({ c, param, body }) => {
        const { stores, search } = await load();
        const row = await stores.find(param('id'));
        const { signal } = c.req.raw;
        return search(services, family, { row, request: body, signal });
      },
    ),

    route(
      { ...filesRoute, method: 'post', summary: 'Add a file to a vector store', body: AddFile },
      async ({ caller, param, body }) => {
        const { files } = await load();
        const added = await files.add(caller.owner, param('id'), body);
        work.wake();
        return added;
      },
    ),
    route(
      {
        ...filesRoute,
        method: 'get',
        summary: 'List the files of a vector store',
        query: VectorStoreFileList,
      },
      async ({ param, query }) => (await load()).files.list(param('id'), query),
    ),
    route(
      { ...fileRoute, method: 'get', summary: 'Read a file of a vector store' },
      async ({ c, param }) =>
        withPollInterval(c, await (await load()).files.read(param('id'), param('file_id'))),
    ),
    route(
      {
        ...fileRoute,
        method: 'post',
        summary: 'Replace the attributes of a file',
        body: UpdateFile,
      },
      async ({ param, body }) => {
        const { files } = await load();
        return files.update(param('id'), param('file_id'), body.attributes);
      },
    ),
    route(
      { ...fileRoute, method: 'delete', summary: 'Remove a file from a vector store' },
      async ({ param }) => {
        const id = param('file_id');
        await (await load()).files.delete(param('id'), id);
        work.wake();
        return { id, object: 'vector_store.file.deleted', deleted: true };
      },
    ),
    route(
      {
        ...fileRoute,
        path: `${base}/:id/files/:file_id/content`,
        method: 'get',
        summary: 'Read the text of a file',
      },
      async ({ c, param }) => {
        const texts = await (await load()).files.content(param('id'), param('file_id'));
        return streamBody(c, services.log, {
          chunks: contentPage(texts),
          headers: { 'content-type': 'application/json', 'cache-control': 'private, no-store' },
          idleSeconds: services.config.limits.request.download_idle_seconds,
        });
      },
    ),

    route(
      {
        ...common,
        path: `${base}/:id/file_batches`,
        method: 'post',
        summary: 'Add files to a vector store',
        body: CreateBatch,
        bodyLimit: 'model_json_bytes',
      },
      async ({ caller, param, body }) => {
        const { batches } = await load();
        const created = await batches.create(caller.owner, param('id'), body);
        work.wake();
        return created;
      },
    ),
    route({ ...batchRoute, method: 'get', summary: 'Read a file batch' }, async ({ c, param }) =>
      withPollInterval(c, await (await load()).batches.read(param('id'), param('batch_id'))),
    ),
    route(
      {
        ...batchRoute,
        path: `${base}/:id/file_batches/:batch_id/cancel`,
        method: 'post',
        summary: 'Cancel a file batch',
      },
      async ({ param }) => {
        const { batches } = await load();
        const cancelled = await batches.cancel(param('id'), param('batch_id'));
        work.wake();
        return cancelled;
      },
    ),
    route(
      {
        ...batchRoute,
        path: `${base}/:id/file_batches/:batch_id/files`,
        method: 'get',
        summary: 'List the files of a file batch',
        query: VectorStoreFileList,
      },
      async ({ param, query }) => {
        const { batches } = await load();
        return batches.listFiles(param('id'), param('batch_id'), query);
      },
    ),
  ];
}

type Operations = Awaited<ReturnType<typeof loadOperations>>;

async function loadOperations(services: Services, uploads: ChatModelFiles) {
  const [{ VectorStores }, { VectorStoreFiles }, { FileBatches }, { searchVectorStore }] =
    await Promise.all([
      import('./vector-stores.ts'),
      import('./vector-store-files.ts'),
      import('./file-batches.ts'),
      import('./search-vector-store.ts'),
    ]);
  const files = new VectorStoreFiles(services, uploads);
  return {
    stores: new VectorStores(services, files),
    files,
    batches: new FileBatches(services, files),
    search: searchVectorStore,
  };
}

/** Serializes texts as the page of a file's content, without having all of them in memory. */
async function* contentPage(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"object":"vector_store.file_content.page","data":[');
  let isFirst = true;
  for await (const text of texts) {
    yield Buffer.from(`${isFirst ? '' : ','}${JSON.stringify({ type: 'text', text })}`);
    isFirst = false;
  }
  yield Buffer.from('],"has_more":false,"next_page":null}');
}
