import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createScriptedPlatform, type ScriptedPlatform } from './platform/scripted-platform.ts';
import type { ScriptedSession } from './platform/session.ts';

type Json = Record<string, unknown>;

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Json | null;
  readonly token: string | null;
}

/** Handles a request instead of the platform. Returns undefined to let the platform handle it. */
export type Script = (
  received: ReceivedRequest,
  response: ServerResponse,
) => 'handled' | 'drop' | undefined;

interface FakeSession {
  readonly id: string;
  readonly log: Json[];
  /** The open streams. */
  readonly streams: Set<ServerResponse>;
  readonly scripted: ScriptedSession;
}

/**
 * The scripted platform over real HTTP, for tests of real sockets. Every token is valid for the user
 * that `subjectOf` returns, except those in `invalidTokens`.
 */
export class FakePlatform {
  readonly requests: ReceivedRequest[] = [];
  /** Sessions by id. A test may delete them. */
  readonly sessions = new Map<string, FakeSession>();
  /** Error codes of rejected tokens, by token. */
  readonly invalidTokens = new Map<string, string>();
  /** Called before each request. */
  script: Script = () => undefined;
  /** Returns the user of a token. */
  subjectOf: (token: string) => string = () => 'ada';
  /** Text of the answer to each message; null for none. */
  answer: string | null = 'Hello.';
  url = '';
  readonly #server: Server = createServer(
    (request, response) => void this.#serve(request, response),
  );
  readonly #known = new Set<string>();
  readonly #openedBy = new WeakMap<ServerResponse, string>();
  #scripted: ScriptedPlatform = createScriptedPlatform();

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.#scripted = createScriptedPlatform({ baseUrl: this.url, answer: () => this.answer });
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the number of requests with a method and path. */
  count(method: string, path: RegExp): number {
    return this.requests.filter((each) => each.method === method && path.test(each.path)).length;
  }

  session(id = `ses_${this.sessions.size + 1}`): FakeSession {
    const known = this.sessions.get(id);
    return (
      known ?? this.#addSession(this.#scripted.createSession({ id, user: this.subjectOf('') }))
    );
  }

  /** Appends an event to a log, and streams it. */
  append({ scripted }: FakeSession, type: string, fields: Json = {}): Json {
    return scripted.append({ type, ...fields })[0] ?? {};
  }

  /** Streams an event that is not in the log. */
  live({ scripted }: FakeSession, event: Json): void {
    scripted.live({ ...event, type: String(event.type) });
  }

  /** Disconnects all streams of a session. */
  disconnect({ streams }: FakeSession): void {
    for (const stream of streams) stream.destroy();
    streams.clear();
  }

  /** Expires or revokes the tokens that opened the streams of a session. */
  invalidateTokens({ streams }: FakeSession, code: string): void {
    for (const stream of streams) {
      const token = this.#openedBy.get(stream) ?? '';
      if (code === 'EMBED_TOKEN_EXPIRED') this.#scripted.expire(token);
      else this.#scripted.revoke(token);
    }
    streams.clear();
  }

  endRun({ scripted }: FakeSession): void {
    scripted.end();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? null : (JSON.parse(text) as Json),
      token: request.headers.authorization?.replace('Bearer ', '') ?? null,
    };
    this.requests.push(received);
    const scripted = this.script(received, response);
    if (scripted === 'drop') response.destroy();
    if (scripted) return;
    const code = this.invalidTokens.get(received.token ?? '');
    const id = /\/sessions\/([^/?]+)/.exec(received.path)?.[1];
    if (code) problem(response, 401, code);
    else if (id !== undefined && !this.sessions.has(id)) problem(response, 404, 'NOT_FOUND');
    else await this.#answer(received, text, response);
  }

  async #answer(
    { method, path, headers, token }: ReceivedRequest,
    text: string,
    response: ServerResponse,
  ) {
    if (token !== null && !this.#known.has(token)) {
      this.#known.add(token);
      this.#scripted.issue(this.subjectOf(token), { token, ttlSeconds: 300 });
    }
    const controller = new AbortController();
    response.on('close', () => controller.abort());
    const {
      headers: responseHeaders,
      status,
      body,
    } = await this.#scripted.fetch(this.url + path, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: text === '' ? null : text,
      signal: controller.signal,
    });
    for (const session of this.#scripted.sessions) {
      if (!this.#known.has(session.id)) this.#addSession(session);
    }
    response.writeHead(status, Object.fromEntries(responseHeaders));
    if (response.destroyed) return;
    const streamedSession = /\/sessions\/([^/?]+)\/events\/stream/.exec(path)?.[1];
    if (streamedSession) this.#addStream(streamedSession, response, token);
    if (body) await this.#pipe(body, response, token).catch(() => response.destroy());
    response.end();
  }

  async #pipe(body: ReadableStream<Uint8Array>, response: ServerResponse, token: string | null) {
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      // The first event of the stream has the id of the new session.
      const chunk = decoder.decode(bytes);
      const id = /^event: session\.created\n.*"session":\{"type":"session","id":"([^"]+)"/.exec(
        chunk,
      );
      response.write(bytes);
      if (id?.[1]) this.#addStream(id[1], response, token);
    }
  }

  #addStream(id: string, response: ServerResponse, token: string | null): void {
    const streams = this.sessions.get(id)?.streams;
    streams?.add(response);
    this.#openedBy.set(response, token ?? '');
    response.on('close', () => streams?.delete(response));
  }

  #addSession(scripted: ScriptedSession): FakeSession {
    const log = scripted.log as unknown as Json[];
    const session = { id: scripted.id, log, scripted, streams: new Set<ServerResponse>() };
    this.#known.add(scripted.id);
    this.sessions.set(scripted.id, session);
    return session;
  }
}

export function problem(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    .end(JSON.stringify({ code, status, detail: 'no', title: 'no', retryable: status >= 500 }));
}
