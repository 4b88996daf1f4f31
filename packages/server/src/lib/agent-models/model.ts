import type { ModelFailure } from '@inlay/protocol';

/**
 * A language model as the run engine uses it. Models are stateless: each request contains the whole
 * conversation.
 */
export interface Model {
  /**
   * Sends one request. The events end with `finish`, or the iteration throws a `ModelError`. When
   * `signal` is aborted, the model aborts its own request, and the events end without `finish`.
   * A failed or aborted request may report the usage so far.
   */
  run(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  /** The agent's instructions with the host's system message; may be empty. */
  readonly system: string;
  /** Oldest first. Each tool call is followed by its result before the next message. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelContent[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** The message as the model sent it, if the model of the request sent it. */
      readonly providerMessage?: ProviderMessage | undefined;
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly text: string;
      readonly isError: boolean;
    };

/**
 * An assistant message in the format of its provider. Its `tool_calls` have the same order as the calls
 * of the response. Stored with the log, and never sent to anyone but the same model of the same provider.
 */
export type ProviderMessage = Readonly<Record<string, unknown>>;

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
  /** `input` is null if the model sent arguments that are not a JSON object. */
  | {
      readonly type: 'tool_call';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>> | null;
    }
  /**
   * `endIndex` is the end of the cited text in UTF-16 code units of all text so far; null if the
   * source applies to all of that text.
   */
  | {
      readonly type: 'citation';
      readonly title: string;
      readonly url: string | null;
      readonly snippet: string | null;
      readonly endIndex: number | null;
    }
  /**
   * The message as the provider sent it, if it has more than text and tool calls. The next request must
   * contain it.
   */
  | { readonly type: 'provider_message'; readonly message: ProviderMessage }
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/**
 * `length`: the response reached the model's limit. `filtered`: the provider withheld the rest. `empty`:
 * the response has neither text nor tool calls.
 */
export type FinishReason = 'end' | 'tool_calls' | 'length' | 'filtered' | 'empty';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a number is an estimate, because the provider did not report it. */
  readonly estimated: boolean;
}

/**
 * `stalled`: the response started and then made no progress for too long. `too_long`: the response
 * exceeded a limit of `limits.run`. `length`, `filtered`, `empty`: as in `FinishReason`. The server retries
 * only `failed`.
 */
export type ModelErrorKind = 'failed' | 'stalled' | 'too_long' | 'length' | 'filtered' | 'empty';

export type ModelErrorReason = Pick<ModelFailure, 'kind' | 'status'>;

/** A failed model request. The message is for the server's log: it may quote the provider. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Why a request of the kind `failed` failed, without text of the provider. */
  readonly reason: ModelErrorReason;

  /** @param options.cause Only for unexpected failures: the log then includes its stack. */
  constructor(
    message: string,
    options: {
      retryable: boolean;
      kind?: ModelErrorKind;
      reason?: ModelErrorReason;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind ?? 'failed';
    this.retryable = options.retryable;
    this.reason = options.reason ?? { kind: 'other' };
  }
}
