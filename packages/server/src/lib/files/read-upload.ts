import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { inTime, tooLarge } from '../http/read-body.ts';
import type { Clock } from '../ports/clock.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Bytes that a multipart body may have around the file itself. */
export const envelope = 16_384;
/** Parts that a body may have: the file, and what libraries put beside it. */
const mostParts = 16;

/** A file, as it is being sent. */
export interface Upload {
  readonly filename: string;
  /** What the uploader says that it is. */
  readonly claimedType: string;
  /** Throws where the body breaks off, or the file is empty or too large. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** Bytes that the file may have. */
  readonly limit: number;
  /** Called with the length of each piece of the body as it arrives. What it throws ends the upload. */
  readonly onBytes: (bytes: number) => void;
  readonly clock: Clock;
  /** Seconds for which no byte may arrive. */
  readonly idleSeconds: number;
}

/**
 * Reads the file of a multipart body (RFC 7578) and gives it to `take` while it arrives. Resolves
 * with the result of `take` when the whole body is valid; where it rejects, `take` has settled.
 */
export async function readUpload<Result>(
  request: Request,
  options: UploadOptions,
  take: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file as `multipart/form-data`, in a part named `file`.',
    );
  }
  const stop = new AbortController();
  const found: { file: BusboyFileStream; result: Promise<Result> }[] = [];
  let failure: unknown;
  const fail = (reason: unknown) => {
    failure ??= reason;
    stop.abort();
  };
  const parser = createParser(type, fail);
  parser.on('file', (name, file, filename, _encoding, claimedType) => {
    // Without a listener, a body that breaks off would be an uncaught error.
    file.on('error', () => {});
    if (name !== 'file' || stop.signal.aborted) return void file.resume();
    if (found.length > 0) {
      file.resume();
      return fail(notAForm('must have one part named `file`, not several'));
    }
    const bytes = checked(file, options.limit, () => parsed);
    const upload = { filename: decodeName(filename), claimedType, bytes };
    const result = take(upload);
    result.catch(fail);
    found.push({ file, result });
  });
  const parsed = pipeline(piecesOf(request, options), parser, { signal: stop.signal });
  try {
    await parsed;
  } catch (error) {
    failure ??=
      error instanceof ApiError ? error : notAForm('is not valid multipart/form-data', error);
  }
  const [part] = found;
  if (failure !== undefined) part?.file.destroy(failure as Error);
  const settled = await part?.result.then(
    (value) => ({ value }),
    // Noted by `fail`.
    () => undefined,
  );
  if (failure !== undefined) throw failure;
  if (!settled) throw invalidField('/file', 'must be a part that holds a file');
  return settled.value;
}

/** The parser decides alone what the boundary is, so nothing can be hidden from its limits. */
function createParser(type: string, fail: (reason: unknown) => void): BusboyInstance {
  if (type.match(/;\s*boundary\s*=/gi)?.length !== 1) {
    throw notAForm('must name one boundary in its `Content-Type`');
  }
  try {
    const parser = new Busboy({
      headers: { 'content-type': type },
      limits: { parts: mostParts, fields: mostParts, fieldSize: envelope, headerPairs: 20 },
    });
    parser.on('partsLimit', () => fail(notAForm(`must have at most ${mostParts} parts`)));
    return parser;
  } catch (cause) {
    throw notAForm('is not valid multipart/form-data', cause);
  }
}

/**
 * The body, which is not read beyond what the largest file and its envelope may have.
 *
 * @throws ApiError `PAYLOAD_TOO_LARGE`, or `REQUEST_TIMEOUT` where no byte arrives for too long.
 */
async function* piecesOf(
  request: Request,
  { limit, onBytes, clock, idleSeconds }: UploadOptions,
): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  const late = `No byte of the file arrived for ${idleSeconds} seconds. Upload it again.`;
  let size = 0;
  for (;;) {
    const { done, value } = await inTime(clock, idleSeconds, reader.read(), late);
    if (done) return;
    size += value.byteLength;
    if (size > limit + envelope) throw tooLarge(limit);
    onBytes(value.byteLength);
    yield value;
  }
}

/** The bytes of the file. They end with the whole form, which may break off or be refused after them. */
async function* checked(
  file: BusboyFileStream,
  limit: number,
  parsed: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of file) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    yield piece;
  }
  if (size === 0) throw invalidField('/file', 'must not be empty');
  await parsed();
}

/** Browsers escape what would end the quoted name (HTML, "multipart form data"). */
function decodeName(filename: string | undefined): string {
  return (filename ?? '').replaceAll(/%(22|0D|0A)/gi, decodeURIComponent);
}

function notAForm(message: string, cause?: unknown): ApiError {
  return new ApiError('VALIDATION_ERROR', `The body ${message}.`, {
    errors: [{ pointer: '', message }],
    cause,
  });
}
