import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Maximum number of parts of a form. */
const maximumParts = 100;

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Null for a file. */
  readonly value: string | null;
}

/**
 * Relays a form as it arrives, and checks its parts, which may have any order. The last piece is
 * relayed after all parts were checked, so that the upstream never gets a rejected request
 * completely.
 *
 * @param check Called with each part. An error that it throws ends the request.
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE` or `VALIDATION_ERROR` if the body is not a valid form.
 */
export async function* checkForm(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
  check: (part: FormPart) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const parts: FormPart[] = [];
  let invalid: ApiError | undefined;
  const parser = createParser(contentType);
  const parsed = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    parser.on('error', () => {
      invalid ??= invalidForm();
      resolve();
    });
  });
  parser.on('partsLimit', () => {
    invalid ??= invalidForm(`must have at most ${maximumParts} parts`);
  });
  // Parsers disagree about escapes in names, so that the upstream could read another name.
  const checkName = (name: string) => {
    if (!/^[\w.[\]-]{1,100}$/.test(name))
      invalid ??= invalidForm('has a part with an unusual name');
  };
  parser.on('file', (name, file) => {
    checkName(name);
    parts.push({ name, value: null });
    // Without a listener, a truncated body would cause an uncaught error.
    file.on('error', () => {});
    file.resume();
  });
  parser.on('field', (name, value) => {
    checkName(name);
    parts.push({ name, value });
  });
  const checkParts = async () => {
    for (const part of parts.splice(0)) {
      if (part.name === 'model' && part.value === null) {
        throw invalidField('/model', 'must be a text, not a file');
      }
      await check(part);
    }
    if (invalid) throw invalid;
  };

  let last: Uint8Array | undefined;
  for await (const piece of pieces) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    await checkParts();
    if (last) yield last;
    last = piece;
  }
  parser.end();
  await parsed;
  await checkParts();
  if (last) yield last;
}

/**
 * Creates the parser. The `Content-Type` must name exactly one boundary; otherwise the upstream
 * could read other parts than the checked ones.
 */
function createParser(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as `multipart/form-data`.');
  }
  if (contentType.match(/;\s*boundary\s*=/gi)?.length !== 1) {
    throw invalidForm('must name one boundary in its `Content-Type`');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maximumParts, headerPairs: 20 },
    });
  } catch {
    throw invalidForm();
  }
}

export function invalidForm(message = 'is not valid multipart/form-data'): ApiError {
  return new ApiError('VALIDATION_ERROR', `The body ${message}.`, {
    errors: [{ pointer: '', message }],
  });
}
