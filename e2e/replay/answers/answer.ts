/** What the replayed model says: one turn per request, until nothing is left to call. */
export interface Answer {
  /** One line for a person who chooses. */
  readonly description: string;
  /** At least one. The last one answers for good. */
  readonly turns: readonly Turn[];
}

export interface Turn {
  /** What the model thinks aloud before it answers. */
  readonly reasoning?: string;
  readonly text: string;
  /** Called in parallel; left out where the request does not offer a tool of that name. */
  readonly toolCalls?: readonly ToolCall[];
  /** Default `stop`, or `tool_calls` where tools are called. */
  readonly finish?: FinishReason;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';
