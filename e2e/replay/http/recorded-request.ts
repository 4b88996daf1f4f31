import type { IncomingHttpHeaders } from 'node:http';
import type { ChatMessage, ChatRequest, ChatTool } from './chat-request.ts';

/** What one request asked and what became of it. It never holds the key. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Without those that hold credentials. */
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the epoch, by the server's clock; so are the other moments. */
  readonly receivedAt: number;
  /** Null until it is read and found valid, and for requests that have none. */
  readonly body: ChatRequest | null;
  readonly model: string | null;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly stream: boolean;
  /** Of the response; null while nothing is sent, and for good where nothing ever was. */
  readonly status: number | null;
  /** Tokens of the answer that the socket took. */
  readonly tokensSent: number;
  /** Whether the client left before the response was whole. */
  readonly aborted: boolean;
  readonly abortedAt: number | null;
  /** When the exchange was over, in whichever way. */
  readonly closedAt: number | null;
  /** Resolves then. */
  readonly closed: Promise<void>;
}
