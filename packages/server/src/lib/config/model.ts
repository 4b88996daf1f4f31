import * as z from 'zod';
import { Scenario, ScriptStep, Voice } from '../agent-models/scripted/script.ts';

/** A deterministic offline model for demos and tests. */
export const ScriptedModel = z.strictObject({
  /** The scripted model. */
  provider: z.literal('scripted'),
  /** Steps for every message. By default the script of the first scenario that matches the message. */
  script: z.array(ScriptStep).optional(),
  /** Scenarios that are tried before the built-in ones. */
  scenarios: z.array(Scenario).max(100).optional(),
  /** Milliseconds between two fragments. With 0, the whole text is one fragment. */
  delay_ms: z.int().min(0).max(60_000).default(20),
  /** Milliseconds until the first fragment. */
  first_delay_ms: z.int().min(0).max(600_000).default(200),
  /** Style of the scenarios: `brief` only sends the start, `thorough` thinks first. */
  voice: Voice.optional(),
  /** Whether every request fails, to show what users see of an error. */
  fail: z.boolean().default(false),
});

/** Any endpoint with OpenAI's chat completions API. */
export const OpenAiCompatibleModel = z.strictObject({
  /** Any endpoint with OpenAI's chat completions API. */
  provider: z.literal('openai-compatible'),
  /**
   * URL of the API with its version: `https://api.example.com/v1`. The platform appends
   * `/chat/completions` to its path, and keeps its query.
   */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  /** Name of the model at the endpoint. */
  model: z.string().min(1),
  /** Name of the environment variable with the API key; omitted for an endpoint without keys. */
  api_key_env: z.string().min(1).optional(),
  /** Maximum tokens of one response; the endpoint's own limit by default. */
  max_output_tokens: z.int().min(1).optional(),
  /**
   * Parameter for `max_output_tokens`. By default `max_tokens`, and `max_completion_tokens` after the
   * endpoint has refused `max_tokens`, as OpenAI's current models do.
   */
  max_output_tokens_parameter: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /**
   * Maximum milliseconds until the first text, thinking or tool call; a fragment with only a role does
   * not count. Models that do not stream their thinking may need a long time.
   */
  first_event_timeout_ms: z.int().min(1000).default(120_000),
  /**
   * Milliseconds without new output after which a response counts as stalled. Empty fragments do
   * not count as output.
   */
  idle_timeout_ms: z.int().min(1000).default(30_000),
});

/** Configuration of a model. */
export const ModelConfig = z.discriminatedUnion('provider', [ScriptedModel, OpenAiCompatibleModel]);
export type ModelConfig = z.output<typeof ModelConfig>;

/** Price of a model. Fractions of cents are allowed. */
export const ModelPrice = z.strictObject({
  /** Cents per million tokens of input. */
  input_cents_per_million: z.number().min(0).max(1_000_000).default(0),
  /** Cents per million tokens of output. */
  output_cents_per_million: z.number().min(0).max(1_000_000).default(0),
  /** Cents per second of generated video; omitted for a model that generates none. */
  video_second_cents: z.number().min(0).max(1_000_000).optional(),
});
export type ModelPrice = z.output<typeof ModelPrice>;
