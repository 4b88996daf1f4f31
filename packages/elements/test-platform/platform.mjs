/**
 * A platform to test the elements with: real HTTP and real server-sent events, but it says only
 * what a test tells it to. A token is `et_<end user>_<anything>`. What a test tells it is in
 * `control`; the test's side is `src/lib/testing/platform.ts`.
 */
const problemStatus = {
  EMBED_TOKEN_EXPIRED: 401,
  EMBED_TOKEN_REVOKED: 401,
  EMBED_USER_BLOCKED: 403,
  EMBED_ORIGIN_NOT_ALLOWED: 403,
  EMBED_BUDGET_EXCEEDED: 402,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
};

const time = () => new Date().toISOString();

function json(response, status, body) {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
  });
  response.end(JSON.stringify(body));
}

function problem(response, code) {
  const status = problemStatus[code] ?? 500;
  json(response, status, {
    type: `https://platform.test/problems/${code}`,
    title: code,
    status,
    detail: `The test asked for ${code}.`,
    instance: 'prb_1',
    code,
    retryable: status >= 500,
  });
}

async function readJson(request) {
  let text = '';
  for await (const part of request) text += part;
  return text ? JSON.parse(text) : {};
}

/** One platform of one test. */
export class TestPlatform {
  #config = {};
  /** Code to refuse everything with; null to refuse nothing. */
  #refusal = null;
  /** Calls that wait for the test to let them pass: `POST /sessions` and so on. */
  #held = new Map();
  #sessions = new Map();
  #count = 0;
  /** Who is signed in on the host page, for its token endpoint; null for nobody. */
  #signedIn = null;
  #issued = 0;
  #requests = [];

  /** `path` is below `/agent/v1`. */
  async handle(request, response, path) {
    const body = await readJson(request);
    if (path === 'control') return json(response, 200, this.#control(body) ?? {});
    if (path === 'token') return this.#issue(request, response);

    const url = new URL(path, 'http://platform.test/');
    const name = `${request.method} ${url.pathname.replace(/ses_\d+/, '{id}')}`;
    this.#requests.push({ name, body });
    await this.#held.get(name)?.promise;
    const user = /^Bearer et_(\w+?)_/.exec(request.headers.authorization ?? '')?.[1];
    if (url.pathname === '/embed_tokens/anonymous') {
      return json(response, 201, {
        token: 'et_visitor_1',
        expires_at: this.#expiry(),
        visitor_secret: 'vs_1',
      });
    }
    if (this.#refusal) return problem(response, this.#refusal);
    if (!user) return problem(response, 'EMBED_TOKEN_REVOKED');
    return this.#answer({ name, url, user, body, request, response });
  }

  #answer({ name, url, user, body, request, response }) {
    const session = this.#sessions.get(/ses_\d+/.exec(url.pathname)?.[0]);
    if (url.pathname.startsWith('/sessions/') && session?.user !== user) {
      return problem(response, 'NOT_FOUND');
    }
    switch (name) {
      case 'GET /embed/config':
        return json(response, 200, this.#embedConfig(user));
      case 'GET /sessions': {
        const own = [...this.#sessions.values()].filter((one) => one.user === user);
        const data = own.reverse().map((one) => one.view);
        return json(response, 200, { data, next_page: null, next_cursor: null });
      }
      case 'POST /sessions': {
        const created = this.#create(user);
        this.#open(created, response);
        this.#write(created, {
          type: 'session.created',
          id: 'evt_0',
          processed_at: time(),
          session: created.view,
        });
        return this.#append(created, body.initial_events ?? []);
      }
      case 'GET /sessions/{id}':
        return json(response, 200, session.view);
      case 'GET /sessions/{id}/events':
        return json(response, 200, {
          data: session.log.toReversed(),
          next_page: null,
          next_cursor: null,
        });
      case 'POST /sessions/{id}/events':
        return json(response, 200, {
          data: this.#append(session, body.events),
          next_page: null,
          next_cursor: null,
        });
      case 'GET /sessions/{id}/events/stream': {
        this.#open(session, response);
        const after = Number(request.headers['last-event-id'] ?? session.log.length);
        for (const event of session.log.slice(after)) this.#write(session, event);
        return undefined;
      }
      case 'POST /sessions/{id}/feedback':
        return json(response, 200, {
          type: 'feedback',
          session_id: session.view.id,
          comment: null,
          created_at: time(),
          ...body,
        });
      default:
        return problem(response, 'NOT_FOUND');
    }
  }

  #control({ type, ...order }) {
    switch (type) {
      case 'config':
        this.#config = order.config;
        return undefined;
      case 'refuse':
        this.#refusal = order.code;
        return undefined;
      case 'end_streams':
        return this.#endStreams(order.code);
      case 'sign_in':
        this.#signedIn = order.user;
        return undefined;
      case 'hold':
        this.#held.set(order.name, deferred());
        return undefined;
      case 'release':
        this.#held.get(order.name)?.resolve();
        this.#held.delete(order.name);
        return undefined;
      case 'seed':
        return { session_id: this.#seed(order.user, order.events) };
      case 'append':
        return { data: this.#append([...this.#sessions.values()].at(-1), order.events) };
      case 'live':
        for (const event of order.events) this.#write([...this.#sessions.values()].at(-1), event);
        return undefined;
      case 'streams':
        return {
          count: [...this.#sessions.values()].reduce((sum, { streams }) => sum + streams.size, 0),
        };
      case 'requests':
        return { requests: this.#requests };
      default:
        throw new Error(`The test platform knows no order ${type}.`);
    }
  }

  /** What a host backend's token endpoint does. */
  #issue({ method }, response) {
    this.#requests.push({ name: `${method} token`, body: {} });
    if (!this.#signedIn) return json(response, 401, { code: 'UNAUTHENTICATED' });
    this.#issued += 1;
    const token = `et_${this.#signedIn}_${this.#issued}`;
    return json(response, 200, { token, expires_at: this.#expiry() });
  }

  #create(user) {
    this.#count += 1;
    const view = {
      type: 'session',
      id: `ses_${this.#count}`,
      agent: { type: 'agent', id: 'agt_1', name: 'Ada', version: '1' },
      status: 'idle',
      title: null,
      metadata: {},
      budget: null,
      usage: { input_tokens: 0, output_tokens: 0, spent_cents: 0 },
      created_at: time(),
      updated_at: time(),
      archived_at: null,
    };
    const session = { user, view, log: [], streams: new Set() };
    this.#sessions.set(view.id, session);
    return session;
  }

  #seed(user, events) {
    const session = this.#create(user);
    this.#append(session, events);
    return session.view.id;
  }

  #append(session, events) {
    return events.map((event) => {
      const seq = session.log.length + 1;
      const logged = { id: `evt_${seq}`, processed_at: time(), seq, ...event };
      session.log.push(logged);
      this.#write(session, logged);
      return logged;
    });
  }

  #open(session, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    session.streams.add(response);
    response.on('close', () => session.streams.delete(response));
  }

  #write(session, event) {
    const id = event.seq === undefined ? '' : `id: ${event.seq}\n`;
    for (const stream of session.streams) {
      stream.write(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
  }

  #endStreams(code) {
    const error = {
      type: 'embed_token_error',
      code,
      message: code,
      retry_status: { type: 'terminal' },
    };
    for (const session of this.#sessions.values()) {
      this.#write(session, { type: 'session.error', id: 'evt_x', processed_at: time(), error });
      for (const stream of session.streams) stream.end();
    }
  }

  #expiry() {
    return new Date(Date.now() + 600_000).toISOString();
  }

  #embedConfig(user) {
    return {
      type: 'embed_config',
      agent: { id: 'agt_1', name: 'Ada', version: '1', description: 'Orders and returns' },
      greeting: `Hello ${user}`,
      starter_prompts: [{ label: 'Where is my order?', prompt: 'Where is order 10482?' }],
      disclaimer: 'Ada can make mistakes.',
      features: { attachments: false, feedback: true, threads: false },
      image_origins: [],
      theme: {},
      token: { expires_at: this.#expiry(), external_user_id: user },
      server_time: time(),
      ...this.#config,
    };
  }
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
