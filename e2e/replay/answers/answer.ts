/** An answer of the replayed model: one turn per request, until there are no more tool calls. */
export interface Answer {
  /** One line for lists of answers. */
  readonly description: string;
  /** At least one turn. The last one has no tool calls. */
  readonly turns: readonly Turn[];
}

export interface Turn {
  /** Reasoning text before the answer. */
  readonly reasoning?: string;
  readonly text: string;
  /** Parallel calls. Calls of tools that the request does not have are omitted. */
  readonly toolCalls?: readonly ToolCall[];
  /** @default 'stop', or 'tool_calls' if there are tool calls */
  readonly finish?: FinishReason;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';
