import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { testOrigin } from './setup-server.ts';

/** One server-sent event, as it came. */
export interface Followed {
  id: string | undefined;
  event: string | undefined;
  data: Record<string, unknown> & { type: string };
}

/** A stream that a test reads at its own pace. */
export interface Following {
  response: Response;
  /** Everything that was read so far. */
  seen: Followed[];
  /** Reads on to the first event that fits; throws where the stream ends before. */
  until(fits: (followed: Followed) => boolean): Promise<Followed>;
  /** Reads to the end of the stream. */
  toEnd(): Promise<Followed[]>;
  /** Cuts the connection. */
  cut(): void;
}

/** Opens a stream as the holder of an embed token, over a real connection. */
export async function follow(
  url: string,
  token: string,
  options: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Following> {
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
  const queue: Followed[] = [];
  const seen: Followed[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }: EventSourceMessage) =>
      queue.push({ id, event, data: JSON.parse(data) }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

  async function next(): Promise<Followed | null> {
    while (queue.length === 0) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return null;
      parser.feed(value);
    }
    const followed = queue.shift() ?? null;
    if (followed) seen.push(followed);
    return followed;
  }

  return {
    response,
    seen,
    async until(fits) {
      for (let followed = await next(); followed; followed = await next()) {
        if (fits(followed)) return followed;
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
