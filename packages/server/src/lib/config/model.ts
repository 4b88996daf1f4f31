import * as z from 'zod';
import { ScriptStep, Voice } from '../agent-models/scripted/script.ts';

/** A deterministic offline model for demos and tests. */
export const ScriptedModel = z.strictObject({
  provider: z.literal('scripted'),
  /** Steps for every message. By default a built-in demo that depends on the words of the message. */
  script: z.array(ScriptStep).optional(),
  /** Milliseconds between two fragments. With 0, the whole text is one fragment. */
  delay_ms: z.int().min(0).max(60_000).default(20),
  /** Milliseconds until the first fragment. */
  first_delay_ms: z.int().min(0).max(600_000).default(200),
  /** Style of the built-in demo: `brief` only sends the start, `thorough` thinks first. */
  voice: Voice.optional(),
  /** Whether every request fails, to show what users see of an error. */
  fail: z.boolean().default(false),
});

/** Any endpoint with OpenAI's chat completions API. */
export const OpenAiCompatibleModel = z.strictObject({
  provider: z.literal('openai-compatible'),
  /** URL of the API with its version: `https://api.example.com/v1`. */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
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
   * Maximum milliseconds until the first text, thinking or tool call. Models that do not stream their
   * thinking may need a long time.
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

/** Cents per million tokens. Fractions are allowed. */
export const ModelPrice = z.strictObject({
  input_cents_per_million: z.number().min(0).max(1_000_000).default(0),
  output_cents_per_million: z.number().min(0).max(1_000_000).default(0),
  /** Cents per second of generated video; omitted for a model that generates none. */
  video_second_cents: z.number().min(0).max(1_000_000).optional(),
});
export type ModelPrice = z.output<typeof ModelPrice>;
