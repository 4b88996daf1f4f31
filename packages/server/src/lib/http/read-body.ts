import { ApiError } from '../problems/api-error.ts';

/**
 * Reads a JSON body of at most `limit` bytes. It stops reading at the limit, whatever length was
 * announced. An empty body reads as an empty object, so that required fields are named one by one.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > limit) throw tooLarge(limit);
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be JSON, with \`Content-Type: application/json\`; it came as \`${type.slice(0, 80) || 'nothing'}\`.`,
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid JSON in UTF-8.', {
      errors: [{ pointer: '', message: 'is not valid JSON in UTF-8' }],
    });
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes.`);
}
