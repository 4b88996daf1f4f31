import * as z from 'zod';
import { explainSchema } from '../runs/check-input.ts';

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -');
const description = z.string().max(1024);
/** JSON Schema of the arguments (2020-12). A call whose arguments do not fit it is not run. */
const inputSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  const why = explainSchema(schema);
  if (why === null) return;
  context.addIssue({ code: 'custom', message: `is no JSON Schema that can be used: ${why}` });
});

/** What a function tool is told beside its arguments: for whom it runs, and when to stop. */
export interface ToolContext {
  agentId: string;
  externalUserId: string;
  sessionId: string;
  /** The same where a call is run again, because the process died in the middle of it. */
  callId: string;
  /** Aborts when the person stops the answer. */
  signal: AbortSignal;
  /**
   * Ends the conversation for good once this call is answered: the agent is not asked again. `reason`
   * is for the person; at most 500 characters of it are kept.
   */
  endConversation: (reason?: string) => void;
}

/** A tool's work. What it throws is told to the agent as a failed call. */
export type ToolFunction = (
  input: Record<string, unknown>,
  context: ToolContext,
) => string | Promise<string>;

/** Fields of every tool, of the server and of the host page. */
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

/** A tool that the host page runs: the agent waits for the page's `user.custom_tool_result`. */
const CustomTool = z.strictObject({ type: z.literal('custom'), ...common });

/** Names of the tools that the platform itself brings: no tool of a configuration can have one. */
export const builtInNames: readonly string[] = ['show_card', 'suggest_replies'];

export const ToolConfig = z.discriminatedUnion('type', [FunctionTool, CustomTool]);
export type ToolConfig = z.output<typeof ToolConfig>;
/** A tool as a configuration writes it: what has a default may be left out. */
export type ToolConfigInput = z.input<typeof ToolConfig>;
