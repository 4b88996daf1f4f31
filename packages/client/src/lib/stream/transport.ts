/** One message of a server-sent event stream. */
export interface StreamMessage {
  /** The last event id of the stream; empty without one. */
  readonly id: string;
  /** The event type; `message` by default. */
  readonly event: string;
  readonly data: string;
}

/** One attempt to read a stream, without retries. */
export interface StreamAttempt {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fetch: typeof globalThis.fetch;
  /** The platform's clock, in milliseconds since the epoch; null while unknown. */
  readonly serverNow?: () => number | null;
  /** Ends the attempt. No callback is called afterwards. */
  readonly signal: AbortSignal;
  /** Called when the response is a stream. */
  onOpen(): void;
  /** Called whenever bytes arrive, including comments. */
  onBytes(): void;
  onMessage(message: StreamMessage): void;
  /** Called with the value of a `retry:` field in milliseconds, which may be out of range. */
  onRetry(milliseconds: number): void;
}

/**
 * Reads one stream. Resolves when the server closed it or the signal was aborted; rejects with an
 * `InlayError` otherwise, which decides about a retry. Any other exception is a defect, and ends the
 * conversation's connection.
 */
export interface StreamTransport {
  read(attempt: StreamAttempt): Promise<void>;
}

/**
 * State of the connection of a conversation. `connecting`: the first attempt. `open`: events arrive.
 * `reconnecting`: an attempt failed, and another one follows. `offline`: the browser reports no network.
 * `idle`: not connected, because there is no session yet or the page is hidden. `closed`: no more
 * attempts, or none until access is granted again.
 */
export type Connection = 'idle' | 'connecting' | 'open' | 'reconnecting' | 'offline' | 'closed';
