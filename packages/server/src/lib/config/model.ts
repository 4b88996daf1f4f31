import * as z from 'zod';
import { ScriptStep } from '../models/scripted/script.ts';

/** The model that needs nothing: deterministic and offline, for demos and tests. */
const ScriptedModel = z.strictObject({
  provider: z.literal('scripted'),
  /** What it does for every message; the built-in demonstration by default. */
  script: z.array(ScriptStep).optional(),
  /** Milliseconds between two fragments, each about a word. 0 says everything at once. */
  delay_ms: z.int().min(0).max(60_000).default(15),
  /** Milliseconds until an answer begins. */
  first_delay_ms: z.int().min(0).max(60_000).default(150),
  /** Fails every request on purpose, to try out what a person sees then. */
  fail: z.boolean().default(false),
});

const OpenAiCompatibleModel = z.strictObject({
  provider: z.literal('openai-compatible'),
  /** Address of the API, with its version: `https://api.example.com/v1`. */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }),
  model: z.string().min(1),
  /** Name of the environment variable that holds the key; none for a server without keys. */
  api_key_env: z.string().min(1).optional(),
  /** Upper bound of one answer, in tokens. */
  max_output_tokens: z.int().min(1).default(4096),
  temperature: z.number().min(0).max(2).optional(),
  /** Milliseconds until the answer must begin. Models that think first may need long. */
  timeout_ms: z.int().min(100).max(600_000).default(60_000),
  /** Milliseconds that an answer, once begun, may stand still. */
  idle_timeout_ms: z.int().min(100).max(600_000).default(30_000),
});

export const ModelConfig = z.discriminatedUnion('provider', [ScriptedModel, OpenAiCompatibleModel]);
export type ModelConfig = z.output<typeof ModelConfig>;

/** What a million tokens cost, in cents. Fractions are fine. */
export const ModelPrice = z.strictObject({
  input: z.number().min(0).default(0),
  output: z.number().min(0).default(0),
});
export type ModelPrice = z.output<typeof ModelPrice>;
