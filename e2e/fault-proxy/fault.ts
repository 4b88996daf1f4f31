/**
 * How a connection ends. `half-open`: nothing passes any more and both sockets stay open, so that
 * neither end learns of it, as when a machine sleeps or a phone leaves its network. `reset`: both
 * get a TCP reset. `fin`: both are closed in an orderly way, though the message was not complete.
 */
export type CutKind = 'half-open' | 'reset' | 'fin';

/** Which of the two directions a fault works on. */
export type Side = 'answer' | 'request';

/** Ends the connection after so many bytes. */
export interface CutFault {
  type: 'cut';
  /** Default `half-open`. */
  how?: CutKind;
  /** Default `answer`. */
  side?: Side;
  /** Bytes that still pass. 0, the default, loses the message whole: with an answer, its first byte strikes. */
  after?: number;
  /** Where `after` counts from. Default `head`: the first byte of the message. */
  from?: 'head' | 'body';
}

/** Passes the request on, and ends the connection as soon as the answer begins. */
export interface LostAnswerFault {
  type: 'lose-answer';
  /** Default `half-open`. */
  how?: CutKind;
}

/** Holds each piece back, as a long way does. */
export interface DelayFault {
  type: 'delay';
  ms: number;
  /** Default `answer`. */
  side?: Side;
}

/** Sends pieces of so many bytes, each in a write and packet of its own. */
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

/** Gathers the answer, as a proxy does that was not told to let streams through. */
export interface BufferFault {
  type: 'buffer';
  /** Bytes of body that set it free; by default only its end does. */
  bytes?: number;
  /** Whether the head waits with the first bytes of the body. Default false. */
  head?: boolean;
}

/** Something on the way answers in the server's place. */
export interface AnswerFault {
  type: 'answer';
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Whether the request reaches the server nevertheless, and its answer is thrown away. Default false. */
  reachesServer?: boolean;
}

/**
 * The server gets the request twice. Answer `first`, the default: at the same time, on two
 * connections, and the client hears of one. `second`: as proxies retry; the answer is thrown away
 * when it begins, the same bytes go out again, and the client gets what is answered then.
 */
export interface DuplicateFault {
  type: 'duplicate';
  answer?: 'first' | 'second';
}

/** The answer waits until the next request of the same rule has been answered whole. */
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
  | DuplicateFault
  | ReorderFault;

/** Which requests a fault strikes. Left out: every one. */
export interface Match {
  /** `GET`, `POST`, …; other protocols than HTTP/1.1 have none, and count as one request each connection. */
  method?: string;
  /** A part of the path and query, or a pattern of them. */
  path?: string | RegExp;
  /** The first matching request that is struck, counted from 1 since the fault was added. */
  nth?: number;
  /** How many are struck. Default 1 where `nth` is given, otherwise all. */
  times?: number;
}

/** A gateway whose server is gone. */
export const badGateway: AnswerFault = {
  type: 'answer',
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n',
};

/** A server that asks for patience. */
export function unavailable(retryAfterSeconds: number): AnswerFault {
  return {
    type: 'answer',
    status: 503,
    headers: { 'content-type': 'text/plain', 'retry-after': String(retryAfterSeconds) },
    body: 'Service Unavailable\n',
  };
}

/** The Wi-Fi of a hotel: 200, and a page that has nothing to do with the question. */
export const captivePortal: AnswerFault = {
  type: 'answer',
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: '<!doctype html><title>Welcome</title><form action="/login"><button>Accept the terms</button></form>\n',
};
