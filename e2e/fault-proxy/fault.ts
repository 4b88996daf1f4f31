/**
 * How a connection is cut. `half-open`: no data passes and both sockets stay open, as when a machine
 * sleeps or a phone leaves its network. `reset`: both sides get a TCP RST. `fin`: both sides get a
 * TCP FIN, although the message is incomplete.
 */
export type CutKind = 'half-open' | 'reset' | 'fin';

/** Direction that a fault applies to. */
export type Side = 'answer' | 'request';

/** Cuts the connection after a number of bytes. */
export interface CutFault {
  type: 'cut';
  /** Default `half-open`. */
  how?: CutKind;
  /** Default `answer`. */
  side?: Side;
  /** Number of bytes that still pass. @default 0, which drops the whole message */
  after?: number;
  /** Whether `after` counts from the first byte of the message or of its body. @default 'head' */
  from?: 'head' | 'body';
}

/** Forwards the request, and cuts the connection at the first byte of the response. */
export interface LostAnswerFault {
  type: 'lose-answer';
  /** Default `half-open`. */
  how?: CutKind;
}

/** Delays each chunk. */
export interface DelayFault {
  type: 'delay';
  ms: number;
  /** Default `answer`. */
  side?: Side;
}

/** Splits the message into chunks of a fixed size, each in a separate packet. */
export interface SplitFault {
  type: 'split';
  /** Default 1. */
  bytes?: number;
  /** Default `answer`. */
  side?: Side;
}

export interface ThrottleFault {
  type: 'throttle';
  bytesPerSecond: number;
  /** Default `answer`. */
  side?: Side;
}

/** Buffers the response, like a proxy that is not configured for streams. */
export interface BufferFault {
  type: 'buffer';
  /** Number of body bytes that are buffered before they are sent. @default the whole body */
  bytes?: number;
  /** Whether the head is buffered too. @default false */
  head?: boolean;
}

/** An intermediary responds in the server's place. */
export interface AnswerFault {
  type: 'answer';
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Whether the server gets the request too; its response is discarded. @default false */
  reachesServer?: boolean;
}

/** Removes headers of the response, like a misconfigured proxy. */
export interface StripHeadersFault {
  type: 'strip-headers';
  /** Prefix of the names in lower case, for example `access-control-`. */
  prefix: string;
}

/**
 * Sends the request to the server twice. With `first` (default), at the same time on two
 * connections, and the client gets the first response. With `second`, like a retrying proxy: the
 * first response is discarded, the request is repeated, and the client gets the second response.
 */
export interface DuplicateFault {
  type: 'duplicate';
  answer?: 'first' | 'second';
}

/** Delays the response until the next request that matches the same conditions has been answered. */
export interface ReorderFault {
  type: 'reorder';
}

export type Fault =
  | CutFault
  | LostAnswerFault
  | DelayFault
  | SplitFault
  | ThrottleFault
  | BufferFault
  | AnswerFault
  | StripHeadersFault
  | DuplicateFault
  | ReorderFault;

/** A request that the proxy received. */
export interface SeenRequest {
  /** Sequence number, starting at 1. */
  readonly id: number;
  /** Id of the client’s connection. */
  readonly connection: number;
  /** Empty for protocols other than HTTP/1.1. */
  readonly method: string;
  /** Path with query. */
  readonly path: string;
}

/** Conditions for the requests that a fault applies to. Absent conditions match all requests. */
export interface Match {
  /** HTTP method. Connections with other protocols have none and count as one request. */
  method?: string;
  /** Substring or pattern of path and query. */
  path?: string | RegExp;
  /** First matching request that the fault applies to, counted from 1 since the fault was added. */
  nth?: number;
  /** Number of requests that the fault applies to. @default 1 with `nth`, otherwise all */
  times?: number;
}

/** Response with a page, or with a file of another media type. */
export const page = (body: string, type = 'text/html'): AnswerFault => ({
  type: 'answer',
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
  body,
});

/** Response of a gateway that cannot reach the server. */
export const badGateway: AnswerFault = {
  type: 'answer',
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n',
};

/** Response of an overloaded server, with `Retry-After`. */
export function unavailable(retryAfterSeconds: number): AnswerFault {
  return {
    type: 'answer',
    status: 503,
    headers: { 'content-type': 'text/plain', 'retry-after': String(retryAfterSeconds) },
    body: 'Service Unavailable\n',
  };
}

/** Captive portal: status 200 with an unrelated HTML page. */
export const captivePortal = page(
  '<!doctype html><title>Welcome</title><form action="/login"><button>Accept the terms</button></form>\n',
);
