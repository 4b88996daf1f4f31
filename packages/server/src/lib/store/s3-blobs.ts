import { S3mini, S3ServiceError } from 's3mini';
import { type Clock, sleep } from '../clock.ts';
import type { ObjectStorage } from '../config/object-storage.ts';
import { ConfigError } from '../config/parse-config.ts';
import { newId, type Random } from '../random.ts';
import { type Blobs, BlobsUnavailableError } from './blobs.ts';
import { inPieces } from './in-pieces.ts';

/**
 * Bytes of a part of a multipart upload, which an upload in progress keeps in memory. S3 requires at least
 * 5 MiB, and at most 10,000 parts.
 */
const partSize = 8 * 1024 * 1024;
/** Milliseconds until the head of a response; a request may contain a part. */
const responsePatience = 60_000;
/** Milliseconds until the next bytes of a download. */
const downloadPatience = 30_000;
/** Bytes of a download after which it gets all attempts again. */
const minimumProgress = 65_536;
/** Milliseconds before the second and the third attempt. */
const retryDelays = [250, 1_000];

export interface S3BlobsOptions {
  readonly settings: ObjectStorage;
  /** Reads the credentials from the environment. */
  readonly secret: (name: string) => string | undefined;
  readonly clock: Clock;
}

/**
 * Stores each blob as an object in a bucket. Checks that objects can be stored, read and deleted.
 *
 * @throws ConfigError If the bucket cannot be used.
 */
export async function openS3Blobs(options: S3BlobsOptions & { random: Random }): Promise<Blobs> {
  const blobs = createS3Blobs(options);
  const id = newId(options.random, 'check_');
  try {
    await blobs.put(id, [Buffer.from('check')]);
    await blobs.get(id);
    await blobs.delete(id);
    // Without the right to list the bucket, S3 does not say whether an object is missing.
    await blobs.get(id);
  } catch (error) {
    if (!(error instanceof BlobsUnavailableError)) throw error;
    throw new ConfigError(error.message, { cause: error.cause });
  }
  return blobs;
}

export function createS3Blobs({ settings, secret, clock }: S3BlobsOptions): Blobs {
  const s3 = new S3mini({
    ...readCredentials(secret),
    region: settings.region,
    endpoint: bucketUrl(settings),
    fetch: (input, init) => fetchWithRetries(clock, input, init),
  });
  const keyOf = (id: string) => `${settings.prefix}${id}`;

  /** Converts failures of the service. */
  async function request<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (error) {
      throw new BlobsUnavailableError(explain(error, settings), { cause: error });
    }
  }

  return {
    async put(id, bytes) {
      const key = keyOf(id);
      const parts: Awaited<ReturnType<S3mini['uploadPart']>>[] = [];
      let uploadId: string | undefined;
      try {
        for await (const piece of inPieces(bytes, partSize)) {
          // Only the last piece is shorter.
          if (uploadId === undefined && piece.byteLength < partSize) {
            await request(() => s3.putObject(key, piece));
            return;
          }
          uploadId ??= await request(() => s3.getMultipartUploadId(key));
          const id = uploadId;
          parts.push(await request(() => s3.uploadPart(key, id, piece, parts.length + 1)));
        }
        const id = uploadId;
        await request(async () => {
          if (id === undefined) return s3.putObject(key, Buffer.alloc(0));
          const { etag } = await s3.completeMultipartUpload(key, id, parts);
          // S3 can report a failure in the body of a response with the status 200.
          if (!etag) throw new Error('the upload was not completed');
        });
      } catch (error) {
        // A lifecycle rule of the bucket deletes parts that remain.
        if (uploadId !== undefined) await s3.abortMultipartUpload(key, uploadId).catch(() => {});
        throw error;
      }
    },
    async get(id, maximumBytes) {
      if (!(await exists(id))) return null;
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of piecesOf(id, maximumBytes)) pieces.push(piece);
      } catch (error) {
        // It may have been deleted since.
        if (error instanceof BlobsUnavailableError && isMissing(error.cause)) return null;
        throw error;
      }
      return Buffer.concat(pieces);
    },
    async read(id) {
      return (await exists(id)) ? piecesOf(id) : null;
    },
    async delete(id) {
      await request(() => s3.deleteObject(keyOf(id)).catch(undefinedIfMissing));
    },
    freeBytes: async () => null,
  };

  function exists(id: string): Promise<boolean> {
    return request(async () => (await s3.objectExists(keyOf(id))) !== false);
  }

  /**
   * Starts the download when the first piece is read, so that an unread iterator occupies no connection.
   * Continues a download that breaks off.
   *
   * @param end Maximum bytes.
   */
  async function* piecesOf(id: string, end?: number): AsyncGenerator<Uint8Array> {
    let position = 0;
    for (let attempt = 0; ; ) {
      const start = position;
      const isWhole = position === 0 && end === undefined;
      const response = await request(() =>
        s3.getObjectRaw(keyOf(id), isWhole, position, end).catch((error: unknown) => {
          // An empty object has no range.
          if (error instanceof S3ServiceError && error.status === 416) return null;
          throw error;
        }),
      );
      try {
        if (position > 0 && response?.status === 200) throw new Error('the range was ignored');
        for await (const body of withPatience(clock, response?.body)) {
          // A service may ignore a range, and send the whole object.
          const piece = end === undefined ? body : body.subarray(0, end - position);
          position += piece.byteLength;
          // A service that sends a byte and breaks off each time is not retried without end.
          if (position - start >= minimumProgress) attempt = 0;
          yield piece;
          if (position === end) return;
        }
        return;
      } catch (error) {
        const delay = retryDelays[attempt++];
        if (delay === undefined) {
          throw new BlobsUnavailableError(explain(error, settings), { cause: error });
        }
        await sleep(clock, delay);
      }
    }
  }
}

/** Sends a request again if the service does not respond, or is overloaded. */
async function fetchWithRetries(
  clock: Clock,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const delay = retryDelays[attempt];
    const abort = new AbortController();
    const cancel = clock.after(responsePatience, () => abort.abort(noResponse()));
    try {
      const response = await fetch(input, { ...init, redirect: 'manual', signal: abort.signal });
      if (delay === undefined || !(response.status >= 500 || response.status === 429)) {
        return response;
      }
      await response.body?.cancel();
    } catch (error) {
      if (delay === undefined) throw error;
    } finally {
      cancel();
    }
    await sleep(clock, delay);
  }
}

/** Yields the pieces of a body; throws if none arrives for `downloadPatience`. */
async function* withPatience(
  clock: Clock,
  body: ReadableStream<Uint8Array> | null | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader) {
      let cancel = () => {};
      const expired = new Promise<never>((_, reject) => {
        cancel = clock.after(downloadPatience, () => reject(noResponse()));
      });
      const { value } = await Promise.race([reader.read(), expired]).finally(() => cancel());
      if (!value) return;
      yield value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

function noResponse(): Error {
  return Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' });
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceError && error.status === 404 && error.serviceCode !== 'NoSuchBucket'
  );
}

/** @throws ConfigError */
function readCredentials(secret: S3BlobsOptions['secret']) {
  const read = (name: string): string => {
    const value = secret(name);
    if (value) return value;
    throw new ConfigError(
      `\`store.object_storage\` needs credentials, and ${name} is not set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  };
  const accessKeyId = read('AWS_ACCESS_KEY_ID');
  // Temporary keys end while the server runs, and need a session token.
  if (accessKeyId.startsWith('ASIA')) {
    throw new ConfigError(
      'AWS_ACCESS_KEY_ID is a temporary key. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a permanent key that may only use the bucket.',
    );
  }
  return { accessKeyId, secretAccessKey: read('AWS_SECRET_ACCESS_KEY') };
}

function bucketUrl({ endpoint, bucket, path_style: pathStyle }: ObjectStorage): string {
  if (pathStyle) return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** Explains to the operator why the service refused a request, or did not respond. */
function explain(error: unknown, settings: ObjectStorage): string {
  const { endpoint, bucket, region } = settings;
  const service = `The object storage at ${endpoint}`;
  if (!(error instanceof S3ServiceError)) {
    const { message, cause } = error instanceof Error ? error : { message: String(error) };
    const reason = cause instanceof Error ? cause.message || codeOf(cause) : message;
    return `\`store.object_storage.endpoint\` names ${endpoint}, where no object storage responds (${reason}). Start it, or correct the endpoint.`;
  }
  switch (error.serviceCode) {
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `${service} refuses the credentials. Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
    case 'NoSuchBucket':
      return `\`store.object_storage.bucket\` names ${bucket}, and the object storage at ${endpoint} has no such bucket. Create it, or correct the name.`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `The bucket ${bucket} is not in the region ${region}. Correct \`store.object_storage.region\`, and \`endpoint\` if it is set.`;
    case 'RequestTimeTooSkewed':
      return `${service} refuses requests because the clock of this machine is wrong. Set it.`;
    default:
      if (error.status !== 403) {
        return `${service} responds with the status ${error.status}, ${error.serviceCode}.`;
      }
      return `${service} denies access to the bucket ${bucket}. Grant the key in AWS_ACCESS_KEY_ID \`s3:PutObject\`, \`s3:GetObject\`, \`s3:DeleteObject\` and \`s3:AbortMultipartUpload\` for its objects, and \`s3:ListBucket\` for the bucket.`;
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
