import * as z from 'zod';
import { explainInvalidSchema } from '../runs/check-tool-input.ts';
import type { ToolResult } from './tool-result.ts';

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
  /** Version of the agent that the session uses. */
  agentVersion: string;
  externalUserId: string;
  /** Whether the user is a visitor who is not signed in. */
  isAnonymous: boolean;
  /** The publishable key with which a visitor started the session; null for other users. */
  publishableKey: string | null;
  /**
   * Metadata that your backend gave the token with which the session was created; empty for visitors. Unlike
   * the metadata of the session, the user can't change it.
   */
  metadata: Readonly<Record<string, string>>;
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

/**
 * Runs a tool call, and returns its result: a text for the model, or also sources and a card for the user.
 * If it throws, the result is an error.
 */
export type ToolFunction = (
  input: Record<string, unknown>,
  context: ToolContext,
) => string | ToolResult | Promise<string | ToolResult>;

/** Fields of all tools: those that run on the server, and those that run in the host page. */
const common = {
  /** Name of the tool for the agent: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  name,
  /** Description for the agent. */
  description,
  /** JSON Schema (2020-12) of the arguments. Calls with other arguments are not run. */
  input_schema: inputSchema.default({ type: 'object', properties: {} }),
  /**
   * `ask`: the user must allow each call before it runs. The approval is bound to a hash of name and
   * arguments.
   */
  permission: z.enum(['allow', 'ask']).default('allow'),
  /** Describes a call in plain words for the user who confirms it: “Cancels order 12.” */
  explain: z
    .custom<(input: Record<string, unknown>) => string>(
      (value) => typeof value === 'function',
      'must be a function',
    )
    .optional(),
};

/** A tool that runs on the platform. */
const FunctionTool = z.strictObject({
  /** `function`. */
  type: z.literal('function'),
  ...common,
  /**
   * Runs a call. After 60 seconds, the agent gets an error, but the function is not aborted.
   */
  run: z.custom<ToolFunction>((value) => typeof value === 'function', 'must be a function'),
});

/** A tool that the host page runs: the run waits for the page's `user.custom_tool_result`. */
const CustomTool = z.strictObject({
  /** `custom`. */
  type: z.literal('custom'),
  ...common,
});

/** Names of the built-in tools, which are reserved. */
export const builtInNames: readonly string[] = ['show_card', 'suggest_replies'];

/** Configuration of a tool. */
export const ToolConfig = z.discriminatedUnion('type', [FunctionTool, CustomTool]);
export type ToolConfig = z.output<typeof ToolConfig>;
/** A tool as written in the configuration: fields with defaults are optional. */
export type ToolConfigInput = z.input<typeof ToolConfig>;
