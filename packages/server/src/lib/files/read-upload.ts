import { tooLarge } from '../http/read-body.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Bytes that a multipart body may have around the file itself. */
const envelope = 16_384;

/** The file of a multipart body. It stops reading at the limit, whatever length was announced. */
export async function readUpload(
  request: Request,
  limit: number,
): Promise<{ filename: string; bytes: Uint8Array }> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file as `multipart/form-data`, in a part named `file`.',
    );
  }
  if (Number(request.headers.get('content-length') ?? 0) > limit + envelope) throw tooLarge(limit);
  const part = (await readForm(request, type, limit)).get('file');
  if (!(part instanceof File)) throw invalidField('/file', 'must be a part that holds a file');
  if (part.size > limit) throw tooLarge(limit);
  if (part.size === 0) throw invalidField('/file', 'must not be empty');
  return { filename: part.name, bytes: new Uint8Array(await part.arrayBuffer()) };
}

async function readForm(request: Request, type: string, limit: number): Promise<FormData> {
  let size = 0;
  let isTooLarge = false;
  const bounded = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        isTooLarge = size > limit + envelope;
        if (isTooLarge) controller.error(new Error('over the limit'));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    return await new Response(bounded ?? null, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    if (isTooLarge) throw tooLarge(limit);
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid `multipart/form-data`.', {
      errors: [{ pointer: '', message: 'is not valid multipart/form-data' }],
      cause,
    });
  }
}
