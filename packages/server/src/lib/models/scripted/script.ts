import * as z from 'zod';

const when = z
  .enum(['ok', 'error'])
  .optional()
  .describe('Do this only if the tool that was called last worked, or only if it failed.');

/**
 * One thing that a scripted agent does. In `say` and `think`, `{text}` stands for what the person
 * wrote, `{result}` for what the last tool answered, `{values}` for what they filled into a card, as
 * a list, and `{base_url}`, also in the input of a call, for the platform's address.
 */
export const ScriptStep = z.union([
  z.strictObject({ say: z.string(), when }),
  z.strictObject({ think: z.string(), when }),
  z.strictObject({
    call: z.string().describe('Name of a tool of the agent. What follows waits for its answer.'),
    input: z.record(z.string(), z.unknown()).default({}),
    when,
  }),
  z.strictObject({
    cite: z
      .strictObject({
        title: z.string(),
        url: z.string().nullable().default(null),
        snippet: z.string().nullable().default(null),
      })
      .describe('Names a source of what was said last.'),
    when,
  }),
  z.strictObject({ wait_ms: z.int().min(0).max(600_000), when }),
  z.strictObject({
    fail: z.string().describe('What the log says. The answer breaks off here.'),
    retryable: z.boolean().default(false),
    when,
  }),
]);
export type ScriptStep = z.infer<typeof ScriptStep>;

export const Voice = z.enum(['brief', 'thorough']);
export type Voice = z.infer<typeof Voice>;

/** How a scripted agent behaves. Everything may change while the server runs. */
export interface ScriptSettings {
  /** What it does for every message. The built-in demo, chosen by the person's words, by default. */
  readonly script?: readonly ScriptStep[] | undefined;
  /** Milliseconds between two fragments of an answer. */
  readonly delayMs: number;
  /** Milliseconds until an answer begins. */
  readonly firstDelayMs: number;
  /** Fail every request, in a way that is worth a retry. */
  readonly fail: boolean;
  /** How the built-in demo speaks: `brief` says the beginning only, `thorough` thinks first. */
  readonly voice?: Voice | undefined;
}

/**
 * The steps of one request. A script is cut after each call, because what follows is said in the
 * request that brings the call's answer; `round` counts the requests since the person spoke.
 */
export function stepsOfRound(script: readonly ScriptStep[], round: number): ScriptStep[] {
  const rounds: ScriptStep[][] = [[]];
  let called = false;
  for (const step of script) {
    const isCall = 'call' in step;
    if (called && !isCall) rounds.push([]);
    rounds.at(-1)?.push(step);
    called = isCall;
  }
  return rounds[round] ?? [];
}
