import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { ReplayServer } from '../replay-server.ts';

export const question = [{ role: 'user', content: 'Tell me.' }];

/** Posts a chat request. Omitted fields get valid defaults. */
export function ask(
  server: ReplayServer,
  body: Record<string, unknown> = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-replay-secret', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'replay/short',
      messages: question,
      stream: true,
      stream_options: { include_usage: true },
      ...body,
    }),
    ...init,
  });
}

export interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly reasoning?: string;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly completion_tokens: number } | null;
}

export interface ReadStream {
  readonly raw: string;
  readonly comments: readonly string[];
  /** The data of each event. */
  readonly data: readonly string[];
  /** Parsed chunks up to `[DONE]`. */
  readonly chunks: readonly Chunk[];
  readonly content: string;
  /** Error of the body; null if it was complete. */
  readonly error: unknown;
}

/** Reads a response with a parser that is independent of the server. */
export async function readStream(response: Response): Promise<ReadStream> {
  const comments: string[] = [];
  const data: string[] = [];
  let error: unknown = null;
  const decoder = new TextDecoder();
  let raw = '';
  const parser = createParser({
    onEvent: (event) => data.push(event.data),
    onComment: (comment) => comments.push(comment),
  });
  try {
    for await (const part of response.body ?? []) {
      const text = decoder.decode(part, { stream: true });
      raw += text;
      parser.feed(text);
    }
  } catch (caught) {
    error = caught;
  }
  const chunks = chunksOf(data);
  const content = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
  return { raw, comments, data, chunks, content, error };
}

/**
 * Sends a request with `node:http`, which keeps HTTP chunks apart; `fetch` can merge them. The response
 * is paused.
 */
export async function askRaw(server: ReplayServer): Promise<IncomingMessage> {
  const asking = request(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-replay-secret' },
  });
  asking.end(JSON.stringify({ model: 'replay/short', messages: question, stream: true }));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

/** Reads the body as a list of HTTP chunks. */
export async function readParts(server: ReplayServer): Promise<Buffer[]> {
  const response = await askRaw(server);
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  await once(response, 'end');
  return parts;
}

function chunksOf(data: readonly string[]): Chunk[] {
  const done = data.indexOf('[DONE]');
  return (done < 0 ? data : data.slice(0, done)).flatMap((text) => {
    try {
      const value = JSON.parse(text) as Partial<Chunk>;
      return value.choices ? [value as Chunk] : [];
    } catch {
      return [];
    }
  });
}
