import { readBytes, tooLarge } from '../http/read-body.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Bytes that a multipart body may have around the file itself. */
const envelope = 16_384;
/** Parts that a body may have: the file, and what libraries put beside it. */
const mostParts = 16;

/** A file, as it was sent. */
export interface Upload {
  readonly filename: string;
  /** What the uploader says that it is. */
  readonly claimedType: string;
  readonly bytes: Uint8Array;
}

/** The file of a multipart body. It stops reading at the limit, whatever length was announced. */
export async function readUpload(request: Request, limit: number): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file as `multipart/form-data`, in a part named `file`.',
    );
  }
  const part = (await readForm(request, type, limit)).get('file');
  if (!(part instanceof File)) throw invalidField('/file', 'must be a part that holds a file');
  if (part.size > limit) throw tooLarge(limit);
  if (part.size === 0) throw invalidField('/file', 'must not be empty');
  const bytes = new Uint8Array(await part.arrayBuffer());
  return { filename: part.name, claimedType: part.type, bytes };
}

async function readForm(request: Request, type: string, limit: number): Promise<FormData> {
  const bytes = await readBytes(request, limit + envelope).catch((error: unknown) => {
    const isTooLarge = error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE';
    throw isTooLarge ? tooLarge(limit) : error;
  });
  if (hasTooManyParts(bytes, type)) throw notAForm(`must have at most ${mostParts} parts`);
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw notAForm('is not valid multipart/form-data', cause);
  }
}

/** Counted beforehand: reading a body of a million small parts holds up everybody for seconds. */
function hasTooManyParts(bytes: Buffer, type: string): boolean {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  const delimiter = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    count += 1;
    // The last delimiter ends the body and begins no part.
    if (count > mostParts + 1) return true;
  }
  return false;
}

function notAForm(message: string, cause?: unknown): ApiError {
  return new ApiError('VALIDATION_ERROR', `The body ${message}.`, {
    errors: [{ pointer: '', message }],
    cause,
  });
}
