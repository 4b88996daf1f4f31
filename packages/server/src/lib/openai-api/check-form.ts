import { randomUUID } from 'node:crypto';
import type { BusboyInstance } from '@fastify/busboy';
import { createFormParser, invalidForm } from '../http/form-parser.ts';
import { type ApiError, invalidField } from '../problems/api-error.ts';

/** Maximum number of parts of a form. */
const maximumParts = 100;

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Null for a file. */
  readonly value: string | null;
}

/** A form that consists of the parts that were checked. */
export interface CheckedForm {
  /** Has another boundary than the form of the caller. */
  readonly contentType: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A part whose data may still arrive. */
interface ArrivingPart extends FormPart {
  /** The delimiter and the headers. */
  readonly head: Uint8Array;
  readonly chunks: Uint8Array[];
  hasEnded: boolean;
  isChecked: boolean;
}

/**
 * Checks the parts of a form as it arrives, and writes them again. Parsers disagree about unusual forms, so
 * that an upstream could read other parts in the bytes of the caller than the checked ones. The end of
 * the form is written after all parts were checked, so that the upstream never gets a rejected
 * request completely.
 *
 * @param check Called with each part. An error that it throws ends the request.
 * @param checkEnd Called after the last part was checked. An error that it throws ends the request.
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE` or, also while `pieces` is read, `VALIDATION_ERROR` if the
 *   body is not a valid form.
 */
export function checkForm(
  received: AsyncIterable<Uint8Array>,
  contentType: string,
  check: (part: FormPart) => Promise<void>,
  checkEnd: () => Promise<void> = async () => {},
): CheckedForm {
  const boundary = randomUUID();
  const parser = createFormParser(contentType, {
    expected: 'Send the body as `multipart/form-data`.',
    maximumParts,
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    pieces: rewrite(received, parser, boundary, { check, checkEnd }),
  };
}

async function* rewrite(
  received: AsyncIterable<Uint8Array>,
  parser: BusboyInstance,
  boundary: string,
  { check, checkEnd }: { check: (part: FormPart) => Promise<void>; checkEnd: () => Promise<void> },
): AsyncGenerator<Uint8Array> {
  // In order; the data of a file may arrive after the next part.
  const parts: ArrivingPart[] = [];
  let hasModel = false;
  let invalid: ApiError | undefined;
  const parsed = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    parser.on('error', () => {
      invalid ??= invalidForm('is not valid multipart/form-data');
      resolve();
    });
  });
  parser.on('partsLimit', () => {
    invalid ??= invalidForm(`must have at most ${maximumParts} parts`);
  });
  const add = (part: FormPart, headers: string, encoding: string, chunks: Uint8Array[] = []) => {
    // Upstreams may read another name from an escaped one.
    if (!/^[\w.[\]-]{1,100}$/.test(part.name)) {
      invalid ??= invalidForm('has a part with an unusual name');
    }
    if (!/^(7bit|8bit|binary)$/.test(encoding)) {
      invalid ??= invalidForm('has a part with a `Content-Transfer-Encoding`');
    }
    if (part.name === 'model') {
      if (hasModel) invalid ??= invalidField('/model', 'must be given once');
      hasModel = true;
    }
    const head = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${part.name}"${headers}\r\n\r\n`,
    );
    const hasEnded = part.value !== null;
    const added = { ...part, head, chunks, hasEnded, isChecked: false };
    parts.push(added);
    return added;
  };
  parser.on('file', (name, file, filename, encoding, type) => {
    const part = add({ name, value: null }, fileHeaders(filename, type), encoding);
    // Without a listener, a truncated body would cause an uncaught error.
    file.on('error', () => {});
    file.on('data', (chunk: Uint8Array) => part.chunks.push(chunk));
    file.on('end', () => {
      part.hasEnded = true;
    });
  });
  parser.on('field', (name, value, _isNameTruncated, isTruncated, encoding) => {
    if (isTruncated) invalid ??= invalidForm('has a field that is too long');
    add({ name, value }, '', encoding, [Buffer.from(value)]);
  });
  const checked = async function* () {
    if (invalid) throw invalid;
    for (let part = parts[0]; part; part = parts[0]) {
      if (!part.isChecked) {
        part.isChecked = true;
        if (part.name === 'model' && part.value === null) {
          throw invalidField('/model', 'must be a text, not a file');
        }
        await check(part);
        yield part.head;
      }
      yield* part.chunks.splice(0);
      if (!part.hasEnded) break;
      parts.shift();
      yield Buffer.from('\r\n');
    }
  };

  for await (const piece of received) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    yield* checked();
  }
  parser.end();
  await parsed;
  yield* checked();
  await checkEnd();
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** Returns what follows the name. Escapes the filename as browsers do (WHATWG HTML, section 4.10.21.8). */
function fileHeaders(filename: string | undefined, type: string): string {
  const escaped = filename?.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
  const parameter = escaped === undefined ? '' : `; filename="${escaped}"`;
  const usualType = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
  return `${parameter}\r\ncontent-type: ${usualType}`;
}
