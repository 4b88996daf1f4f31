import { ApiError, invalidField } from '../problems/api-error.ts';
import type { FormPart } from './check-form.ts';

/** Form fields of the official API description. Lists are sent as several fields `keywords[]`. */
export const transcriptionFields: readonly string[] = [
  'file',
  'model',
  'chunking_strategy',
  'include',
  'keywords',
  'known_speaker_names',
  'known_speaker_references',
  'language',
  'languages',
  'prompt',
  'response_format',
  'stream',
  'temperature',
  'timestamp_granularities',
];
const responseFormats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'];

/**
 * Checks a part of the form of a transcription (docs/conformance.md, 4.13.9).
 *
 * @throws ApiError `INPUT_NOT_REPRESENTABLE` for a field that the official API does not have;
 *   `VALIDATION_ERROR` for an invalid value.
 */
export function checkTranscription({ name, value }: FormPart): void {
  if (value === null) {
    if (name !== 'file') throw notRepresentable(name);
    return;
  }
  // The names of members of a field have the form `include[]` or `chunking_strategy[type]`.
  const field = name.replace(/\[.*$/s, '');
  if (!transcriptionFields.includes(field)) throw notRepresentable(name);
  if (field === 'temperature' && !(Number(value) >= 0 && Number(value) <= 1)) {
    throw invalidField('/temperature', 'must be between 0 and 1');
  }
  if (field === 'response_format' && !responseFormats.includes(value)) {
    throw invalidField('/response_format', `must be ${responseFormats.join(' or ')}`);
  }
}

function notRepresentable(name: string): ApiError {
  const param = name.slice(0, 200);
  return new ApiError(
    'INPUT_NOT_REPRESENTABLE',
    `Transcriptions have no parameter \`${param}\`. Leave it out.`,
    { param },
  );
}
