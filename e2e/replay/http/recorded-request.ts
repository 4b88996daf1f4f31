import type { IncomingHttpHeaders } from 'node:http';
import type { ChatMessage, ChatRequest, ChatTool } from './chat-request.ts';

/** A recorded request with its outcome, without the API key. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers without credentials. */
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the epoch by the server's clock, like all times here. */
  readonly receivedAt: number;
  /** Null until it is validated, and for requests without a body. */
  readonly body: ChatRequest | null;
  readonly model: string | null;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly stream: boolean;
  /** Status of the response; null if no response was sent. */
  readonly status: number | null;
  /** Tokens of the answer that were written to the socket. */
  readonly tokensSent: number;
  /** Whether the client disconnected before the end of the response. */
  readonly aborted: boolean;
  readonly abortedAt: number | null;
  /** Time at which the exchange ended for any reason. */
  readonly closedAt: number | null;
  /** Resolves at `closedAt`. */
  readonly closed: Promise<void>;
}
