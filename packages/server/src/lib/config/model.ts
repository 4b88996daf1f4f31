import * as z from 'zod';
import { ScriptStep, Voice } from '../models/scripted/script.ts';

/** The model that needs nothing: deterministic and offline, for demos and tests. */
const ScriptedModel = z.strictObject({
  provider: z.literal('scripted'),
  /** What it does for every message; by default a built-in demonstration, chosen by the message. */
  script: z.array(ScriptStep).optional(),
  /** Milliseconds between two fragments of an answer. 0 says everything at once. */
  delay_ms: z.int().min(0).max(60_000).default(20),
  /** Milliseconds until an answer begins. */
  first_delay_ms: z.int().min(0).max(600_000).default(200),
  /** How the built-in demonstration speaks: `brief` says the beginning only, `thorough` thinks first. */
  voice: Voice.optional(),
  /** Fails every request on purpose, to try out what a person sees then. */
  fail: z.boolean().default(false),
});

/** Any endpoint that speaks OpenAI's chat completions. */
const OpenAiCompatibleModel = z.strictObject({
  provider: z.literal('openai-compatible'),
  /** Address of the API, with its version: `https://api.example.com/v1`. */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  model: z.string().min(1),
  /** Name of the environment variable that holds the key; none for a server without keys. */
  api_key_env: z.string().min(1).optional(),
  /** Upper bound of one answer; the endpoint's own by default. */
  max_output_tokens: z.int().min(1).optional(),
  /** Milliseconds until an answer must begin with text, thinking or a tool call. Models that think first may need long. */
  first_event_timeout_ms: z.int().min(1000).default(120_000),
  /** Milliseconds that an answer, once begun, may bring nothing new. Empty fragments do not count. */
  idle_timeout_ms: z.int().min(1000).default(30_000),
});

export const ModelConfig = z.discriminatedUnion('provider', [ScriptedModel, OpenAiCompatibleModel]);
export type ModelConfig = z.output<typeof ModelConfig>;

/** What a million tokens cost, in cents. Fractions are fine. */
export const ModelPrice = z.strictObject({
  input_cents_per_million: z.number().min(0).max(1_000_000).default(0),
  output_cents_per_million: z.number().min(0).max(1_000_000).default(0),
});
export type ModelPrice = z.output<typeof ModelPrice>;
