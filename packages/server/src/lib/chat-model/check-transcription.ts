import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError, invalidField } from '../problems/api-error.ts';

/** Form fields of a transcription request in the family's API. */
const fields = new Set([
  'file',
  'model',
  'chunking_strategy',
  'include',
  'known_speaker_names',
  'known_speaker_references',
  'language',
  'prompt',
  'response_format',
  'stream',
  'temperature',
  'timestamp_granularities',
]);
const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'];

/**
 * Passes the form of a transcription on as it arrives, and refuses it at the first field that the
 * family's API does not have (service reference, section 4.13, rule 9).
 *
 * @throws ApiError `INPUT_NOT_REPRESENTABLE` with the field; `VALIDATION_ERROR` for an invalid
 *  form.
 */
export async function* checkTranscription(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Uint8Array> {
  let refusal: ApiError | undefined;
  const refuse = (error: ApiError) => {
    refusal ??= error;
  };
  const parser = createParser(contentType);
  parser.on('error', () => refuse(invalidForm()));
  parser.on('file', (name, file) => {
    file.resume();
    file.on('error', () => {});
    if (name !== 'file') refuse(notRepresentable(name));
  });
  parser.on('field', (name, value) => {
    // `include[]`, `chunking_strategy[type]`.
    const field = name.replace(/\[.*$/s, '');
    if (!fields.has(field)) return refuse(notRepresentable(name));
    if (field === 'temperature' && !(Number(value) >= 0 && Number(value) <= 1)) {
      refuse(invalidField('/temperature', 'must be between 0 and 1'));
    }
    if (field === 'response_format' && !formats.includes(value)) {
      refuse(invalidField('/response_format', `must be ${formats.join(' or ')}`));
    }
  });
  for await (const piece of pieces) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    if (refusal) throw refusal;
    yield piece;
  }
}

function createParser(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as `multipart/form-data`.');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: 100, headerPairs: 20 },
    });
  } catch {
    throw invalidForm();
  }
}

function invalidForm(): ApiError {
  return new ApiError('VALIDATION_ERROR', 'The body is not valid multipart/form-data.');
}

function notRepresentable(name: string): ApiError {
  const param = name.slice(0, 200);
  return new ApiError(
    'INPUT_NOT_REPRESENTABLE',
    `Transcriptions have no parameter \`${param}\`. Leave it out.`,
    { param },
  );
}
