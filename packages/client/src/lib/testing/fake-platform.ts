import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** What arrived, for a test to look at. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Json | null;
  readonly token: string | null;
}

/** What a test wants instead of the platform's own answer. */
export type Script = (arrival: Arrival, response: ServerResponse) => 'handled' | 'drop' | undefined;

interface FakeSession {
  readonly id: string;
  readonly log: Json[];
  readonly streams: Set<ServerResponse>;
}

/**
 * The platform over real HTTP, as far as the client sees it: it keeps sessions and their logs,
 * honours idempotency keys and `Last-Event-ID`, and says and breaks off what a test tells it to.
 */
export class FakePlatform {
  readonly arrivals: Arrival[] = [];
  readonly sessions = new Map<string, FakeSession>();
  /** Tokens that are refused, with the code. */
  readonly dead = new Map<string, string>();
  /** Looked at before each request. */
  script: Script = () => undefined;
  /** Whose a token is. */
  subjectOf: (token: string) => string = () => 'ada';
  /** The text with which each message is answered; null leaves the answer to the test. */
  answer: string | null = 'Hello.';
  url = '';
  readonly #server: Server = createServer(
    (request, response) => void this.#serve(request, response),
  );
  readonly #answered = new Map<string, Json>();

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** How often a method and path arrived. */
  count(method: string, path: RegExp): number {
    return this.arrivals.filter((each) => each.method === method && path.test(each.path)).length;
  }

  session(id = `ses_${this.sessions.size + 1}`): FakeSession {
    const known = this.sessions.get(id);
    if (known) return known;
    const made = { id, log: [], streams: new Set<ServerResponse>() };
    this.sessions.set(id, made);
    return made;
  }

  /** Puts an event into a log, and sends it to who listens. */
  append(session: FakeSession, type: string, fields: Json = {}): Json {
    const seq = session.log.length + 1;
    const event = { type, id: `evt_${seq}`, processed_at: at(seq), seq, ...fields };
    session.log.push(event);
    for (const stream of session.streams) writeEvent(stream, event, `${seq}`);
    return event;
  }

  /** Sends what only a stream carries. */
  live(session: FakeSession, event: Json): void {
    for (const stream of session.streams) writeEvent(stream, event, `${session.log.length}.1`);
  }

  /** Cuts every stream of a session without a word. */
  cut(session: FakeSession): void {
    for (const stream of session.streams) stream.destroy();
    session.streams.clear();
  }

  /** Tells the streams of a session that their token ended, and ends them. */
  endTokens(session: FakeSession, code: string): void {
    for (const stream of session.streams) {
      const error = {
        type: 'embed_token_error',
        code,
        message: 'ended',
        retry_status: { type: 'terminal' },
      };
      writeEvent(stream, { type: 'session.error', id: 'evt_x', processed_at: at(0), error });
      stream.end();
    }
    session.streams.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const arrival: Arrival = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? null : (JSON.parse(text) as Json),
      token: request.headers.authorization?.replace('Bearer ', '') ?? null,
    };
    this.arrivals.push(arrival);
    const scripted = this.script(arrival, response);
    if (scripted === 'drop') response.destroy();
    if (scripted) return;
    const code = this.dead.get(arrival.token ?? '');
    if (code) return problem(response, 401, code);
    this.#route(arrival, response);
  }

  #route(arrival: Arrival, response: ServerResponse): void {
    const url = new URL(arrival.path, this.url);
    const path = url.pathname.replace('/agent/v1', '');
    const [, , id, part, last] = path.split('/');
    const session = this.sessions.get(id ?? '');
    if (path === '/embed/config') json(response, this.#config(arrival.token ?? ''));
    else if (path === '/sessions' && arrival.method === 'GET') json(response, this.#list());
    else if (path === '/sessions') this.#create(arrival, response);
    else if (!session) problem(response, 404, 'NOT_FOUND');
    else if (part === undefined) json(response, sessionObject(session));
    else if (part === 'feedback') json(response, {});
    else if (last === 'stream') {
      this.#stream(session, Number(arrival.headers['last-event-id']), response);
    } else if (arrival.method === 'GET') json(response, page(session, url.searchParams));
    else {
      const events = arrival.body?.events as Json[];
      json(
        response,
        this.#once(arrival, () => this.#receive(session, events)),
      );
    }
  }

  #list(): Json {
    return {
      data: [...this.sessions.values()].map(sessionObject),
      next_page: null,
      next_cursor: null,
    };
  }

  #create(arrival: Arrival, response: ServerResponse): void {
    let session: FakeSession | undefined;
    const made = this.#once(arrival, () => {
      session = this.session();
      return { id: session.id };
    });
    session ??= this.session(String(made.id));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const created = { type: 'session.created', id: 'evt_0', processed_at: at(0) };
    writeEvent(response, { ...created, session: sessionObject(session) }, '0');
    this.#stream(session, 0, response);
    if (session.log.length === 0) this.#receive(session, arrival.body?.initial_events as Json[]);
  }

  #stream(session: FakeSession, after: number, response: ServerResponse): void {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    for (const event of session.log.slice(after))
      writeEvent(response, event, `${String(event.seq)}`);
    session.streams.add(response);
    response.on('close', () => session.streams.delete(response));
  }

  #receive(session: FakeSession, events: Json[]): Json {
    const data = events.map(({ type, ...fields }) => this.append(session, String(type), fields));
    for (const { type } of events) {
      if (type === 'user.message' && this.answer !== null) this.#answer(session, this.answer);
      if (type === 'user.interrupt') this.idle(session);
    }
    return { data, next_page: null, next_cursor: null };
  }

  #answer(session: FakeSession, text: string): void {
    this.append(session, 'session.status_running');
    this.append(session, 'agent.message', { content: [{ type: 'text', text }] });
    this.idle(session);
  }

  idle(session: FakeSession): void {
    this.append(session, 'session.status_idle', { stop_reason: { type: 'end_turn' } });
  }

  /** A repeat with the same key gets the first answer, and does nothing. */
  #once(arrival: Arrival, act: () => Json): Json {
    const key = String(arrival.headers['idempotency-key']);
    const first = this.#answered.get(key) ?? act();
    this.#answered.set(key, first);
    return first;
  }

  #config(token: string): Json {
    return {
      type: 'embed_config',
      agent: { id: 'agt_1', name: 'Demo', version: '1' },
      greeting: 'Hi',
      starter_prompts: [],
      features: { attachments: false, feedback: true, threads: true },
      image_origins: [],
      theme: {},
      token: { expires_at: '2026-01-01T00:05:00Z', external_user_id: this.subjectOf(token) },
      server_time: '2026-01-01T00:00:00Z',
    };
  }
}

function page(session: FakeSession, query: URLSearchParams): Json {
  const limit = Number(query.get('limit') ?? 50);
  const from = Number(query.get('page') ?? 0);
  const all = query.get('order') === 'desc' ? session.log.toReversed() : session.log;
  const next = from + limit < all.length ? String(from + limit) : null;
  return { data: all.slice(from, from + limit), next_page: next, next_cursor: next };
}

function sessionObject({ id, log }: FakeSession): Json {
  const running = log.findLast((event) => String(event.type).startsWith('session.status_'));
  const status = running?.type === 'session.status_running' ? 'running' : 'idle';
  return { type: 'session', id, status, title: null, metadata: {}, created_at: at(0) };
}

function writeEvent(response: ServerResponse, event: Json, id?: string): void {
  response.write(`data: ${JSON.stringify(event)}\n${id === undefined ? '' : `id: ${id}\n`}\n`);
}

function json(response: ServerResponse, body: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
