import { ChatCompletionRequest } from '@inlay/protocol';
import { EmbeddingRequest, ImageRequest, SpeechRequest } from './requests.ts';
import { ResponseRequest } from './response-request.ts';

/**
 * Names of the declared parameters of each operation: those of the official API description. Values of
 * JSON bodies are checked by the schemas that the names come from.
 */
export const declaredParameters = {
  chatCompletions: Object.keys(ChatCompletionRequest.shape),
  responses: Object.keys(ResponseRequest.shape),
  embeddings: Object.keys(EmbeddingRequest.shape),
  images: Object.keys(ImageRequest.shape),
  speech: Object.keys(SpeechRequest.shape),
  /** Form fields. Lists are sent as several fields `keywords[]`. */
  transcriptions: [
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
  ],
};
