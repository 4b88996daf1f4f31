/** One message of a server-sent event stream. */
export interface StreamMessage {
  /** The last id that the stream named, with this message or before; empty where it named none. */
  readonly id: string;
  /** The type that the message names; `message` where it names none. */
  readonly event: string;
  readonly data: string;
}

/** One attempt to read a stream: it opens, it reads, it ends. Nothing in it is tried twice. */
export interface StreamAttempt {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fetch: typeof globalThis.fetch;
  /** The platform's clock, in milliseconds since the epoch; null before it has told the time. */
  readonly serverNow?: () => number | null;
  /** Ends the attempt. Nothing is called after it. */
  readonly signal: AbortSignal;
  /** The answer is a stream, and reading begins. */
  onOpen(): void;
  /** Bytes came, also those of a comment. */
  onBytes(): void;
  onMessage(message: StreamMessage): void;
  /** The server asked to wait this many milliseconds before coming back: whatever it said. */
  onRetry(milliseconds: number): void;
}

/**
 * Reads one stream. Resolves when the server ended it in good order or the signal was aborted;
 * rejects with an `InlayError` for everything else.
 */
export interface StreamTransport {
  read(attempt: StreamAttempt): Promise<void>;
}
