/**
 * What the run engine needs of a model, and all that it knows about one. A model holds no
 * conversation: each request carries everything that was said so far.
 */
export interface Model {
  /**
   * Asks once. The events end with `finish`, or the iteration throws a `ModelError`. It stops soon
   * after `signal` is aborted, upstream as well, and then ends without `finish`. Where it
   * fails or is stopped, the usage so far comes before that.
   */
  run(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  /** The agent's instructions together with what the host said about the person; may be empty. */
  readonly system: string;
  /** Oldest first. Every tool call is followed by its result before anybody speaks again. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelContent[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly text: string;
      readonly isError: boolean;
    };

export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: Uint8Array };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** `input` is null where the model wrote something that is not a JSON object. */
  | {
      readonly type: 'tool_call';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>> | null;
    }
  /** `endIndex`: the place that it bears, in UTF-16 units of all text so far; null: all of it. */
  | {
      readonly type: 'citation';
      readonly title: string;
      readonly url: string | null;
      readonly snippet: string | null;
      readonly endIndex: number | null;
    }
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/** `length`: the answer reached the model's limit. `filtered`: the provider withheld the rest. */
export type FinishReason = 'end' | 'tool_calls' | 'length' | 'filtered';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the numbers are an estimate, because the provider did not count. */
  readonly estimated: boolean;
}

/**
 * `stalled`: the answer began, and then brought nothing new for too long. `too_long`: it went over a
 * limit of `limits.run`. Neither is retried automatically.
 */
export type ModelErrorKind = 'failed' | 'stalled' | 'too_long';

/** A model failed. The message is for the server's log: it may quote the provider. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** Whether the same request may succeed when it is sent again. */
  readonly retryable: boolean;

  /** @param options.cause Only of a failure that nobody foresaw: the log then shows its stack. */
  constructor(
    message: string,
    options: { retryable: boolean; kind?: ModelErrorKind; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind ?? 'failed';
    this.retryable = options.retryable;
  }
}
