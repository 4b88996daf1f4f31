import * as z from 'zod/mini';
import { Metadata } from './tokens.ts';

/**
 * Protocols that a model can offer, in `supported_apis` of the catalogue
 * (docs/conformance.md, 4.12). Clients must accept other values.
 */
export const modelApis = [
  'chat_completions',
  'responses',
  'messages',
  'generate_content',
  'embeddings',
  'image_generations',
  'image_edits',
  'videos',
  'transcriptions',
  'speech',
] as const;
export type ModelApi = (typeof modelApis)[number];

/** A model of the catalogue. */
export const ModelResource = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  name: z.string(),
  description: z.nullable(z.string()),
  /** Protocols of the model, such as `chat_completions`. */
  supported_apis: z.array(z.string()),
  /** Body parameters that the model supports; null if unknown. */
  supported_parameters: z.nullable(z.array(z.string())),
  /** Maximum tokens of input and output together. */
  context_length: z.nullable(z.int()),
  /** Prices in the main unit of the currency; null for a model without a price. */
  pricing: z.looseObject({
    /** Price of a million input tokens. */
    input_per_million: z.nullable(z.number()),
    /** Price of a million output tokens. */
    output_per_million: z.nullable(z.number()),
    /** Price of a second of generated video. */
    video_second: z.nullable(z.number()),
  }),
  /** Limits for all keys together (docs/conformance.md, 8.3). 0 means unlimited. */
  rate_limits: z.looseObject({
    requests_per_minute: z.int(),
    tokens_per_minute: z.int(),
  }),
});
export type ModelResource = z.infer<typeof ModelResource>;

/** All models of the catalogue, on one page. */
export const ModelPage = z.looseObject({
  data: z.array(ModelResource),
  next_cursor: z.nullable(z.string()),
});
export type ModelPage = z.infer<typeof ModelPage>;

const numberBetween = (minimum: number, maximum: number) =>
  z.number().check(
    z.refine((value) => value >= minimum && value <= maximum, {
      error: `must be between ${minimum} and ${maximum}`,
    }),
  );
const positiveInteger = z.int().check(z.minimum(1, { error: 'must be at least 1' }));

/** Preferences about the providers of a model. */
export const ProviderPreferences = z.strictObject({
  /** Names of providers to try first, in this order. Allowed only with a provider key of the caller. */
  order: z.optional(z.array(z.string()).check(z.maxLength(20))),
  /** Names of the only providers to try. Allowed only with a provider key of the caller. */
  only: z.optional(z.array(z.string()).check(z.maxLength(20))),
  /**
   * Whether the platform rejects the request if the model does not support one of its parameters.
   *
   * @default false
   */
  require_parameters: z.optional(z.boolean()),
});
export type ProviderPreferences = z.infer<typeof ProviderPreferences>;

/**
 * Body of a chat completion. Declared members are checked; all others are sent to the model's
 * provider unchanged.
 */
export const ChatCompletionRequest = z.looseObject({
  /** Id of a model of the catalogue. */
  model: z.string().check(z.minLength(1, { error: 'must not be empty' }), z.maxLength(256)),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .check(z.minLength(1, { error: 'must hold at least one message' })),
  /** Whether the response is a stream of server-sent events. */
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.looseObject({ include_usage: z.nullish(z.boolean()) })),
  temperature: z.nullish(numberBetween(0, 2)),
  top_p: z.nullish(numberBetween(0, 1)),
  frequency_penalty: z.nullish(numberBetween(-2, 2)),
  presence_penalty: z.nullish(numberBetween(-2, 2)),
  n: z.nullish(positiveInteger.check(z.maximum(128, { error: 'must be at most 128' }))),
  max_tokens: z.nullish(positiveInteger),
  max_completion_tokens: z.nullish(positiveInteger),
  logprobs: z.nullish(z.boolean()),
  top_logprobs: z.nullish(z.int().check(z.minimum(0), z.maximum(20))),
  logit_bias: z.nullish(z.record(z.string(), numberBetween(-100, 100))),
  seed: z.nullish(z.int()),
  stop: z.nullish(z.union([z.string(), z.array(z.string())])),
  tools: z.nullish(z.array(z.looseObject({ type: z.string() }))),
  tool_choice: z.nullish(
    z.union([z.string(), z.looseObject({})], { error: 'must be a string or an object' }),
  ),
  parallel_tool_calls: z.nullish(z.boolean()),
  functions: z.nullish(z.array(z.looseObject({}))),
  function_call: z.nullish(
    z.union([z.string(), z.looseObject({})], { error: 'must be a string or an object' }),
  ),
  modalities: z.nullish(z.array(z.string())),
  audio: z.nullish(z.looseObject({})),
  prediction: z.nullish(z.looseObject({})),
  moderation: z.nullish(z.looseObject({})),
  web_search_options: z.nullish(z.looseObject({})),
  prompt_cache_key: z.nullish(z.string()),
  prompt_cache_options: z.nullish(z.looseObject({})),
  prompt_cache_retention: z.nullish(z.string()),
  safety_identifier: z.nullish(z.string()),
  verbosity: z.nullish(z.string()),
  response_format: z.nullish(z.looseObject({ type: z.string() })),
  reasoning_effort: z.nullish(z.string()),
  metadata: z.nullish(Metadata),
  service_tier: z.nullish(z.string()),
  store: z.nullish(z.boolean()),
  user: z.nullish(z.string()),
  provider: z.optional(ProviderPreferences),
});
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;

/** Tokens and cost of a completion. */
export const CompletionUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  completion_tokens_details: z.nullish(z.looseObject({})),
  /** In the main unit of the currency; null for a model without a price. */
  cost: z.nullable(z.number()),
  cost_details: z.nullable(z.looseObject({ prompt_cost: z.number(), completion_cost: z.number() })),
  /** Whether the request was made with an upstream key of the caller. */
  is_byok: z.boolean(),
});
export type CompletionUsage = z.infer<typeof CompletionUsage>;

/** How a request was routed (docs/conformance.md, 4.12). */
export const RouterMetadata = z.looseObject({
  /** Number of the successful attempt, from 1. */
  attempt: z.int(),
  attempts: z.array(
    z.looseObject({
      provider: z.string(),
      /** HTTP status of the provider; null if it did not respond. */
      status: z.nullable(z.int()),
      /** Why the next provider was tried; null for a success. */
      error: z.nullable(z.string()),
      /** Milliseconds until the response, or the failure. */
      duration: z.int(),
    }),
  ),
  endpoints: z.looseObject({
    total: z.int(),
    available: z.array(z.looseObject({ provider: z.string(), selected: z.boolean() })),
  }),
  /** Milliseconds from the first upstream request to the end of the response. */
  generation_time: z.optional(z.int()),
  is_byok: z.boolean(),
  /** The preferences of the request. */
  params: z.looseObject({}),
  /** Names of the processing steps of the request. */
  pipeline: z.array(z.string()),
  region: z.nullable(z.string()),
  /** The model of the request. */
  requested: z.string(),
  /** `direct` with one provider, `failover` with several, `byok` with a key of the caller. */
  strategy: z.string(),
  summary: z.string(),
});
export type RouterMetadata = z.infer<typeof RouterMetadata>;

/** A complete chat completion. Members that a provider adds are kept. */
export const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  /** Unix time in seconds. */
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.nullable(z.string()),
      logprobs: z.nullable(z.looseObject({})),
      message: z.looseObject({ role: z.string(), content: z.optional(z.unknown()) }),
    }),
  ),
  service_tier: z.nullable(z.string()),
  system_fingerprint: z.nullable(z.string()),
  usage: CompletionUsage,
  router_metadata: RouterMetadata,
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

/** A chunk of a streamed chat completion. */
export const ChatCompletionChunk = z.looseObject({
  id: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      delta: z.looseObject({ content: z.nullish(z.string()) }),
      finish_reason: z.nullish(z.string()),
    }),
  ),
  /** In the last chunk, if `stream_options.include_usage` is true. */
  usage: z.nullish(CompletionUsage),
  router_metadata: z.optional(RouterMetadata),
});
export type ChatCompletionChunk = z.infer<typeof ChatCompletionChunk>;
