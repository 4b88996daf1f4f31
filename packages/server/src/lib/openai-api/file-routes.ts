import * as z from 'zod';
import { contentDisposition } from '../files/file-names.ts';
import { maximumOverhead, readUpload } from '../files/read-upload.ts';
import { type Route, route } from '../http/route.ts';
import { streamBody } from '../http/stream-body.ts';
import { bodyOwners } from '../limits/body-limiter.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Family } from '../upstreams/families.ts';
import type { ChatModel } from './chat-model.ts';
import { type FileFields, toFile } from './chat-model-files.ts';
import { listQuery, refuseOtherParameters, unrecognizedArgument } from './lists.ts';

const purposes = ['user_data', 'assistants', 'vision'] as const;

const ListFilesQuery = listQuery('desc', { max: 10_000, default: 10_000 }).extend({
  purpose: z.string('must be given once').optional(),
});

/** Routes of files (docs/conformance.md, 4.13.10 and 4.13.11). */
export function chatModelFileRoutes(
  { clock, config, log, uploads }: Pick<Services, 'clock' | 'config' | 'log' | 'uploads'>,
  { files }: Pick<ChatModel, 'files'>,
  { prefix, version }: Pick<Family, 'prefix' | 'version'>,
): Route[] {
  const limit = config.limits.request.chat_model_file_bytes;
  const base = `${prefix}${version}/files`;
  const common = { audience: 'backend', tag: 'Files', response: null } as const;
  const fileRoute = { ...common, path: `${base}/:file_id` } as const;
  return [
    route(
      {
        ...common,
        method: 'post',
        path: base,
        summary: 'Upload a file',
        accepts: 'multipart/form-data',
      },
      async ({ c, caller, recheck }) => {
        refuseOtherParameters(c.req.url, []);
        const announced = Number(c.req.header('content-length') ?? 0);
        if (announced > limit + maximumOverhead) throw tooLarge(limit);
        const body = uploads.open(bodyOwners(c, config.trusted_proxies));
        try {
          body.take(announced);
          const form = new UploadForm();
          const options = {
            limit,
            onBytes: announced > 0 ? () => {} : body.take,
            onPart: form.add,
            clock,
            idleSeconds: config.limits.request.upload_idle_seconds,
          };
          const file = await readUpload(c, options, (upload) =>
            files.add(caller.owner, upload, async () => {
              // The credential may have ended during a long upload.
              await recheck();
              return form.end();
            }),
          );
          return c.json(file);
        } catch (error) {
          throw error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE'
            ? tooLarge(limit)
            : error;
        } finally {
          body.release();
        }
      },
    ),

    route(
      { ...common, method: 'get', path: base, summary: 'List the files', query: ListFilesQuery },
      async ({ c, caller, query }) => {
        refuseOtherParameters(c.req.url, ['after', 'order', 'limit', 'purpose']);
        return c.json(await files.list(caller.owner, query));
      },
    ),

    route(
      { ...fileRoute, method: 'get', summary: 'Read a file object' },
      async ({ c, caller, param }) =>
        c.json(toFile(await files.find(caller.owner, param('file_id')))),
    ),

    route(
      { ...fileRoute, method: 'delete', summary: 'Delete a file' },
      async ({ c, caller, param }) => {
        const id = param('file_id');
        await files.delete(caller.owner, id);
        return c.json({ id, object: 'file', deleted: true });
      },
    ),

    route(
      { ...fileRoute, path: `${base}/:file_id/content`, method: 'get', summary: 'Download a file' },
      async ({ c, caller, param }) => {
        const { row, bytes } = await files.open(caller.owner, param('file_id'));
        return streamBody(c, log, {
          chunks: bytes,
          headers: {
            'content-type': row.mime_type,
            'content-disposition': contentDisposition('attachment', row.filename),
            'content-length': String(row.size_bytes),
            // Keeps browsers from rendering the file.
            'content-security-policy': "default-src 'none'; sandbox",
            'x-content-type-options': 'nosniff',
            'cache-control': 'private, no-store',
          },
        });
      },
    ),
  ];
}

/** Collects and checks the form fields of an upload. */
class UploadForm {
  readonly #fields = new Map<string, string | null>();

  /** Checks the name of a part, and stores its value, which is null for a file. */
  readonly add = (name: string, value: string | null): void => {
    if (!fieldNames.includes(name)) throw unrecognizedArgument(name);
    if (this.#fields.has(name)) throw invalidParam(name, 'must be given once');
    this.#fields.set(name, value);
  };

  /**
   * Returns the fields. Must be called after all parts were added.
   *
   * @throws ApiError `VALIDATION_ERROR`
   */
  end(): FileFields {
    const purpose = this.#fields.get('purpose');
    if (!purposes.some((known) => known === purpose)) {
      throw invalidParam('purpose', `must be ${purposes.join(' or ')}`);
    }
    return { purpose: purpose as string, expiresAfter: this.#expiresAfter() };
  }

  #expiresAfter(): number | null {
    const anchor = this.#fields.get('expires_after[anchor]');
    const seconds = this.#fields.get('expires_after[seconds]');
    if (anchor === undefined && seconds === undefined) return null;
    if (anchor !== 'created_at') throw invalidParam('expires_after[anchor]', 'must be created_at');
    const value = Number(seconds);
    if (!/^\d+$/.test(seconds ?? '') || value < 3600 || value > 2_592_000) {
      throw invalidParam('expires_after[seconds]', 'must be a whole number from 3600 to 2592000');
    }
    return value;
  }
}

const fieldNames: readonly string[] = [
  'file',
  'purpose',
  'expires_after[anchor]',
  'expires_after[seconds]',
];

function invalidParam(param: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `\`${param}\` ${message}.`, { param });
}

/** The status is 400, not 413 (docs/conformance.md, 4.13.10). */
function tooLarge(limit: number): ApiError {
  return invalidField('/file', `may have at most ${limit} bytes`);
}
