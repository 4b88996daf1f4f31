import * as z from 'zod';

const when = z
  .enum(['ok', 'error'])
  .optional()
  .describe('Run this step only if the last tool call succeeded, or only if it failed.');

/**
 * A step of a scripted agent. Placeholders in `say` and `think`: `{text}` is the user's message,
 * `{files}` a list of its attachments, `{result}` the last tool result, `{values}` a list of the
 * values of a card action, and `{base_url}` the server's URL, also in the input of a call.
 */
export const ScriptStep = z.union([
  z.strictObject({
    /** Text of the answer. */
    say: z.string(),
    when,
  }),
  z.strictObject({
    /** Text of the reasoning. */
    think: z.string(),
    when,
  }),
  z.strictObject({
    call: z
      .string()
      .describe('Name of a tool of the agent. The following steps wait for its result.'),
    /** Arguments of the call. */
    input: z.record(z.string(), z.unknown()).default({}),
    when,
  }),
  z.strictObject({
    cite: z
      .strictObject({
        /** Title of the source. */
        title: z.string(),
        /** URL of the source. */
        url: z.string().nullable().default(null),
        /** Quotation from the source. */
        snippet: z.string().nullable().default(null),
      })
      .describe('Adds a citation for the preceding text.'),
    when,
  }),
  z.strictObject({
    /** Pause, in milliseconds. */
    wait_ms: z.int().min(0).max(600_000),
    when,
  }),
  z.strictObject({
    fail: z.string().describe('Message for the log. The response fails at this point.'),
    /** Whether the user can try again. */
    retryable: z.boolean().default(false),
    when,
  }),
]);
export type ScriptStep = z.infer<typeof ScriptStep>;

export const Voice = z.enum(['brief', 'thorough']);
export type Voice = z.infer<typeof Voice>;

/** A script for the messages that contain certain words, or for an action of a card. */
export const Scenario = z.strictObject({
  keywords: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Played if the message contains one of these words, in lower case; `*` is played if no other scenario is.',
    ),
  card_action: z
    .string()
    .min(1)
    .optional()
    .describe('Played for actions of cards whose name begins with this text.'),
  description: z.string().default('').describe('Description in the list of scenarios.'),
  script: z.array(ScriptStep).describe('Steps of the answer.'),
  delay_factor: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('Factor on the delay between fragments.'),
  suggestions: z
    .array(z.string())
    .default([])
    .describe('Prompts that are suggested after the answer, if the agent may suggest.'),
});
export type Scenario = z.infer<typeof Scenario>;

/** Settings of a scripted agent. */
export interface ScriptSettings {
  /**
   * Steps for every message.
   *
   * @default The script of the first scenario that matches the message.
   */
  readonly script?: readonly ScriptStep[] | undefined;
  /** Scenarios that are tried before the built-in ones. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Milliseconds between two fragments. */
  readonly delayMs: number;
  /** Milliseconds until the first fragment. */
  readonly firstDelayMs: number;
  /** Fails every request with a retryable error. */
  readonly fail: boolean;
  /** Style of the scenarios: `brief` only sends the start, `thorough` thinks first. */
  readonly voice?: Voice | undefined;
}

/**
 * Returns the steps of one model request. The script is split after each sequence of calls, because
 * the steps after the calls belong to the next request, which contains their results.
 *
 * @param round Number of requests since the last user message, starting with 0.
 */
export function stepsOfRound(script: readonly ScriptStep[], round: number): ScriptStep[] {
  const rounds: ScriptStep[][] = [[]];
  let endsWithCall = false;
  for (const step of script) {
    const isCall = 'call' in step;
    if (endsWithCall && !isCall) rounds.push([]);
    rounds.at(-1)?.push(step);
    endsWithCall = isCall;
  }
  return rounds[round] ?? [];
}
