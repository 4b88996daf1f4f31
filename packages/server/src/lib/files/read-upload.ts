import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { BusboyFileStream } from '@fastify/busboy';
import type { Context } from 'hono';
import type { Clock } from '../clock.ts';
import type { AppEnv } from '../http/env.ts';
import { createFormParser, invalidForm } from '../http/form-parser.ts';
import { bodyPieces, tooLarge } from '../http/read-body.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Maximum bytes of a multipart body besides the file itself. */
export const maximumOverhead = 16_384;
/** Maximum parts of a body: the file, and the fields that some libraries add. */
const maximumParts = 16;

/** A file that is being uploaded. */
export interface Upload {
  readonly filename: string;
  /** Media type according to the client. */
  readonly claimedType: string;
  /** The content. Throws if the body ends early, or if the file is empty or too large. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** Maximum size of the file in bytes. */
  readonly limit: number;
  /** Called with the length of each piece of the body. If it throws, the upload ends. */
  readonly onBytes: (bytes: number) => void;
  /**
   * Called for each part: with the value of a field, or null for a file. If it throws, the upload
   * ends. By default, the other parts of the body are ignored.
   */
  readonly onPart?: (name: string, value: string | null) => void;
  readonly clock: Clock;
  /** Maximum seconds without a byte. */
  readonly idleSeconds: number;
}

/**
 * Reads the file of a multipart body (RFC 7578), and passes it to `take` while the body arrives.
 *
 * @returns The result of `take`, after the whole body was found valid. Rejects only after the promise
 *   of `take` has settled.
 */
export async function readUpload<Result>(
  c: Context<AppEnv>,
  options: UploadOptions,
  take: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const stopController = new AbortController();
  const { signal } = stopController;
  const accepted: { file: BusboyFileStream; result: Promise<Result> }[] = [];
  let failure: unknown;
  const fail = (reason: unknown) => {
    failure ??= reason;
    stopController.abort();
  };
  const parser = createFormParser(c.req.header('content-type') ?? '', {
    expected: 'Send the file as `multipart/form-data`, in a part named `file`.',
    maximumParts,
    fieldSize: maximumOverhead,
  });
  parser.on('partsLimit', () => fail(invalidForm(`must have at most ${maximumParts} parts`)));
  const notify = (name: string, value: string | null) => {
    try {
      options.onPart?.(name, value);
    } catch (error) {
      fail(error);
    }
  };
  parser.on('field', notify);
  parser.on('file', (name, file, filename, _encoding, claimedType) => {
    // Without a listener, a truncated body would be an uncaught error.
    file.on('error', () => {});
    notify(name, null);
    if (name !== 'file' || signal.aborted) return void file.resume();
    if (accepted.length > 0) {
      file.resume();
      return fail(invalidForm('must have one part named `file`, not several'));
    }
    const bytes = checkedPieces(file, options.limit, () => parsed);
    const upload = { filename: decodeName(filename), claimedType, bytes };
    const result = take(upload);
    result.catch(fail);
    accepted.push({ file, result });
  });
  const onBytes = (bytes: number) => {
    signal.throwIfAborted();
    options.onBytes(bytes);
  };
  const pieces = bodyPieces(c, { ...options, onBytes, overhead: maximumOverhead });
  const parsed = pipeline(pieces, parser, { signal });
  // An aborted pipeline ends with the next piece of the body, which a client may never send.
  const stopped = once(signal, 'abort').then(() => signal.throwIfAborted());
  try {
    await Promise.race([parsed, stopped]);
  } catch (error) {
    failure ??= formError(error);
  }
  const [part] = accepted;
  if (failure !== undefined) part?.file.destroy(failure as Error);
  const settled = await part?.result.then(
    (value) => ({ value }),
    // `fail` has already recorded the error.
    () => undefined,
  );
  if (failure !== undefined) throw failure;
  if (!settled) throw invalidField('/file', 'must be a part with a file');
  return settled.value;
}

/**
 * Yields the pieces of the file. Ends only after the rest of the body was parsed, because the rest may
 * be invalid.
 */
async function* checkedPieces(
  file: BusboyFileStream,
  limit: number,
  parsed: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of rawPieces(file)) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    yield piece;
  }
  if (size === 0) throw invalidField('/file', 'must not be empty');
  await parsed();
}

async function* rawPieces(file: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    // Since Node 22, a truncated body ends the file before it ends the parser.
    throw formError(error);
  }
}

/** Returns the error for a body that cannot be parsed. */
function formError(error: unknown): ApiError {
  return error instanceof ApiError ? error : invalidForm('is not valid multipart/form-data', error);
}

/**
 * Decodes the quotes and line breaks that browsers percent-encode in file names (HTML, "multipart
 * form data").
 */
function decodeName(filename: string | undefined): string {
  return (filename ?? '').replaceAll(/%(22|0D|0A)/gi, decodeURIComponent);
}
