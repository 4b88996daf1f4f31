/**
 * Schemas of the bodies that are forwarded. Declared members are checked; all others are forwarded
 * unchanged (docs/conformance.md, 4.13.1).
 */
import * as z from 'zod';

const text = z.string().min(1, 'must not be empty');
const model = text.max(256, 'must have at most 256 characters');
const between = (minimum: number, maximum: number) => {
  const error = `must be between ${minimum} and ${maximum}`;
  return z.number().min(minimum, error).max(maximum, error);
};
const wholeBetween = (minimum: number, maximum: number) => {
  const error = `must be between ${minimum} and ${maximum}`;
  return z.int().min(minimum, error).max(maximum, error);
};
const tokens = z.array(z.int().min(0, 'must not be negative')).min(1, 'must not be empty');

export const EmbeddingRequest = z.looseObject({
  model,
  input: z.union(
    [text, z.array(text).min(1, 'must not be empty'), tokens, z.array(tokens).min(1)],
    {
      error: 'must be a text, a list of texts, or lists of tokens, and must not be empty',
    },
  ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1, 'must be at least 1').nullish(),
  user: z.string().nullish(),
});

export const ImageRequest = z.looseObject({
  prompt: text,
  model: model.nullish(),
  background: z.string().nullish(),
  moderation: z.string().nullish(),
  n: wholeBetween(1, 10).nullish(),
  size: z.string().nullish(),
  quality: z.string().nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  output_compression: wholeBetween(0, 100).nullish(),
  partial_images: wholeBetween(0, 3).nullish(),
  stream: z.boolean().nullish(),
  style: z.string().nullish(),
  user: z.string().nullish(),
});

export const SpeechRequest = z.looseObject({
  model,
  input: text.max(4096, 'must have at most 4096 characters'),
  voice: z.union([text, z.looseObject({ id: text })], { error: 'must be a voice' }),
  instructions: z.string().nullish(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).nullish(),
  speed: between(0.25, 4).nullish(),
  stream_format: z.enum(['sse', 'audio']).nullish(),
});
