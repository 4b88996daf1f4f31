import * as z from 'zod';
import { explainInvalidSchema } from '../runs/check-tool-input.ts';

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -');
const description = z.string().max(1024);
/** JSON Schema (2020-12) of the arguments. Calls with invalid arguments are not run. */
const inputSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  const problem = explainInvalidSchema(schema);
  if (problem === null) return;
  context.addIssue({ code: 'custom', message: `is not a valid JSON Schema: ${problem}` });
});

/** Context of a tool call. */
export interface ToolContext {
  agentId: string;
  externalUserId: string;
  sessionId: string;
  /** Id of the call. If the process dies, another process runs the call again with the same id. */
  callId: string;
  /** Aborted when the user interrupts the run. */
  signal: AbortSignal;
  /**
   * Ends the session permanently after this call; the model is not called again.
   *
   * @param reason Shown to the user; truncated to 500 characters.
   */
  endConversation: (reason?: string) => void;
}

/** Runs a tool call, and returns its result for the model. If it throws, the result is an error. */
export type ToolFunction = (
  input: Record<string, unknown>,
  context: ToolContext,
) => string | Promise<string>;

/** Fields of all tools: those that run on the server, and those that run in the host page. */
const common = {
  name,
  description,
  input_schema: inputSchema.default({ type: 'object', properties: {} }),
  /** `ask`: the user must confirm each call before it runs. */
  permission: z.enum(['allow', 'ask']).default('allow'),
  /** Describes a call in plain words for the user who confirms it: “Cancels order 12.” */
  explain: z
    .custom<(input: Record<string, unknown>) => string>(
      (value) => typeof value === 'function',
      'must be a function',
    )
    .optional(),
};

const FunctionTool = z.strictObject({
  type: z.literal('function'),
  ...common,
  run: z.custom<ToolFunction>((value) => typeof value === 'function', 'must be a function'),
});

/** A tool that the host page runs: the run waits for the page's `user.custom_tool_result`. */
const CustomTool = z.strictObject({ type: z.literal('custom'), ...common });

/** Names of the built-in tools, which are reserved. */
export const builtInNames: readonly string[] = ['show_card', 'suggest_replies'];

/** Configuration of a tool. */
export const ToolConfig = z.discriminatedUnion('type', [FunctionTool, CustomTool]);
export type ToolConfig = z.output<typeof ToolConfig>;
/** A tool as written in the configuration: fields with defaults are optional. */
export type ToolConfigInput = z.input<typeof ToolConfig>;
