import { createParser } from 'eventsource-parser';
import { onTestFinished } from 'vitest';
import { type IssuedToken, pageOrigin, type Target } from './targets.ts';

type Json = Record<string, unknown>;

/** An event of a stream or of the log. */
export interface SeenEvent extends Json {
  readonly type: string;
  readonly id: string;
}

export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: SeenEvent;
}

export interface Stream {
  readonly status: number;
  /** All frames that were read so far. */
  readonly frames: Frame[];
  /** Reads up to the next event of this type. */
  until(type: string): Promise<Frame>;
  toEnd(): Promise<Frame[]>;
  cut(): void;
}

export const message = (text: string) => ({
  type: 'user.message',
  content: [{ type: 'text', text }],
});

const deltasQuery = 'event_deltas[]=agent.message&event_deltas[]=agent.thinking';

/** The API calls of a page with the token of an end user. */
export function userApi(
  target: Target,
  { token }: Pick<IssuedToken, 'token'>,
  origin = pageOrigin,
) {
  const send = (method: string, path: string, options: SendOptions = {}) =>
    target.fetch(`${target.baseUrl}/agent/v1${path}`, {
      method,
      headers: {
        origin,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
  /** Sends a request, and returns status and body. */
  const call = async (method: string, path: string, options?: SendOptions) => {
    const response = await send(method, path, options);
    return { status: response.status, body: (await response.json()) as Json };
  };
  const stream = async (method: string, path: string, options: SendOptions = {}) => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const headers = { accept: 'text/event-stream', ...options.headers };
    const { signal } = controller;
    return readStream(await send(method, path, { ...options, headers, signal }), controller);
  };
  return {
    call,
    /** Creates a session with these messages, and returns its id. */
    async create(...texts: string[]): Promise<string> {
      const body = { initial_events: texts.map(message) };
      return String((await call('POST', '/sessions', { body })).body.id);
    },
    createStream: (body: Json, headers = {}) =>
      stream('POST', `/sessions?${deltasQuery}`, { body, headers }),
    send: (id: string, events: object[], key?: string) =>
      call('POST', `/sessions/${id}/events`, {
        body: { events },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }),
    /** Opens the event stream, by default from the beginning of the log. */
    follow: (id: string, lastEventId = '0') =>
      stream('GET', `/sessions/${id}/events/stream?${deltasQuery}`, {
        headers: { 'last-event-id': lastEventId },
      }),
    async log(id: string, query = 'limit=200'): Promise<SeenEvent[]> {
      const { body } = await call('GET', `/sessions/${id}/events?${query}`);
      return body.data as SeenEvent[];
    },
  };
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

function readStream(response: Response, controller: AbortController): Stream {
  const queue: Frame[] = [];
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => queue.push({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const next = async (): Promise<Frame | null> => {
    while (queue.length === 0) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return null;
      parser.feed(decoder.decode(value, { stream: true }));
    }
    const frame = queue.shift() ?? null;
    if (frame) frames.push(frame);
    return frame;
  };
  return {
    status: response.status,
    frames,
    async until(type) {
      for (let frame = await next(); frame; frame = await next()) {
        if (frame.data.type === type) return frame;
      }
      throw new Error(`No ${type} came, but ${frames.map(({ data }) => data.type).join(', ')}.`);
    },
    async toEnd() {
      while (await next());
      return frames;
    },
    cut: () => controller.abort(),
  };
}
