import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { testOrigin } from './setup-server.ts';

/** A server-sent event. */
export interface ReceivedEvent {
  id: string | undefined;
  event: string | undefined;
  data: Record<string, unknown> & { type: string };
}

/** A stream that a test reads step by step. */
export interface TestStream {
  response: Response;
  /** All events read so far. */
  seen: ReceivedEvent[];
  /** Reads until an event matches, and returns the event; rejects if the stream ends before. */
  until(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  /** Reads to the end of the stream. */
  toEnd(): Promise<ReceivedEvent[]>;
  /** Closes the connection. */
  cut(): void;
}

/** Opens a stream with an embed token, over a real connection. */
export async function follow(
  url: string,
  token: string,
  options: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<TestStream> {
  const controller = new AbortController();
  const response = await fetch(url, {
    method: options.body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      origin: testOrigin,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    signal: controller.signal,
  });
  const queue: ReceivedEvent[] = [];
  const seen: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }: EventSourceMessage) =>
      queue.push({ id, event, data: JSON.parse(data) }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

  async function next(): Promise<ReceivedEvent | null> {
    while (queue.length === 0) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return null;
      parser.feed(value);
    }
    const event = queue.shift() ?? null;
    if (event) seen.push(event);
    return event;
  }

  return {
    response,
    seen,
    async until(matches) {
      for (let event = await next(); event; event = await next()) {
        if (matches(event)) return event;
      }
      throw new Error(`The stream ended after ${seen.map(({ data }) => data.type).join(', ')}`);
    },
    async toEnd() {
      while (await next());
      return seen;
    },
    cut: () => controller.abort(),
  };
}
