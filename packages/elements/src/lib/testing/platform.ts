import { createScriptedPlatform, type EventDraft } from '@inlay/client/testing';
import type { EmbedConfig, ProblemCode } from '@inlay/protocol';

let cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.reverse()) cleanup();
  cleanups = [];
});

interface RecordedRequest {
  readonly name: string;
  readonly body: Record<string, unknown>;
}

/**
 * Creates a platform inside the page, which is removed when the test ends. Tokens are
 * `et_<end user>_<anything>`.
 *
 * @param settings - The agent's settings that differ from the defaults.
 */
export function testPlatform(settings: Partial<EmbedConfig> = {}) {
  // Test files run in several pages simultaneously, and share the browser's storage.
  const name = crypto.getRandomValues(new Uint32Array(2)).join('x');
  const baseUrl = `${location.origin}/platform-${name}`;
  const platform = createScriptedPlatform({
    baseUrl,
    answer: null,
    config: (user) => ({ ...configFor(user), ...overrides }),
    publishableKeys: ['pk_demo'],
  });
  const tokens = new Set<string>();
  const tokenRequests: RecordedRequest[] = [];
  let signedIn: string | null = null;
  let overrides = settings;

  const issue = (user: string, token = `et_${user}_${tokens.size + 1}`) => {
    tokens.add(token);
    return platform.issue(user, { token });
  };
  /** The host backend's token endpoint. */
  const tokenEndpoint = (method: string) => {
    tokenRequests.push({ name: `${method} token`, body: {} });
    const signedOut = Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 });
    return signedIn === null ? signedOut : Response.json(issue(signedIn));
  };
  cleanups.push(platform.interceptFetch());
  const intercepted = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (String(input) === `${baseUrl}/token`) return tokenEndpoint(init?.method ?? 'GET');
    const token = /^Bearer (et_(\w+?)_.*)/.exec(
      new Headers(init?.headers).get('authorization') ?? '',
    );
    const isToPlatform = String(input).startsWith(`${baseUrl}/`);
    if (isToPlatform && token?.[1] && token[2] && !tokens.has(token[1])) issue(token[2], token[1]);
    return intercepted(input, init);
  };
  cleanups.push(() => {
    globalThis.fetch = intercepted;
  });

  return {
    baseUrl,
    /** Address of the host backend's token endpoint. */
    tokenUrl: `${baseUrl}/token`,
    /** Refuses the requests of this name, by default all, with a code; null refuses none. */
    refuse(code: ProblemCode | null, name: string | RegExp = /^/): void {
      platform.faults.clear();
      if (code) platform.faults.failNext({ code }, name, Infinity);
    },
    /** Holds the requests of this name, such as `POST /sessions`, until the returned function is called. */
    hold(request: string): () => void {
      platform.faults.hold(request);
      return () => platform.faults.release(request);
    },
    /** Changes the agent's settings for chats that are created later. */
    configure(changes: Partial<EmbedConfig>): void {
      overrides = { ...overrides, ...changes };
    },
    /** Sets the user for whom the token endpoint issues tokens; null signs out. */
    signIn(user: string | null): void {
      signedIn = user;
    },
    /** Revokes all tokens issued so far. */
    revokeTokens(): void {
      for (const token of tokens) platform.revoke(token);
    },
    /** Creates a session of this end user and returns its id. */
    seed(user: string, drafts: readonly EventDraft[]): string {
      const session = platform.createSession({ user });
      session.append(...drafts);
      return session.id;
    },
    /** The newest session. */
    session: () => platform.session(),
    /** Appends events to the log of the newest session, and sends them on its streams. */
    append: (...drafts: EventDraft[]) => platform.session().append(...drafts),
    /** Sends events on the streams of the newest session, without logging them. */
    live(...drafts: EventDraft[]): void {
      for (const draft of drafts) platform.session().live(draft);
    },
    /** Makes all requests fail, as without a network. */
    goOffline: () => platform.faults.goOffline(),
    goOnline: () => platform.faults.goOnline(),
    /** Number of open streams. */
    streams: () => platform.faults.openStreams,
    /** All requests so far. */
    requests: (): RecordedRequest[] => [
      ...tokenRequests,
      ...platform.requests.map(({ name, body }) => ({
        name,
        body: (body ?? {}) as Record<string, unknown>,
      })),
    ],
  };
}

export type TestPlatform = ReturnType<typeof testPlatform>;

function configFor(user: string): Partial<EmbedConfig> {
  return {
    agent: { id: 'agt_1', name: 'Ada', version: '1', description: 'Orders and returns' },
    greeting: `Hello ${user.startsWith('anon_') ? 'visitor' : user}`,
    starter_prompts: [{ label: 'Where is my order?', prompt: 'Where is order 10482?' }],
    disclaimer: 'Ada can make mistakes.',
    features: { attachments: false, feedback: true, threads: false },
  };
}

/** Creates events as they are on the wire. */
export const events = {
  running: () => ({ type: 'session.status_running' }),
  idle: () => ({ type: 'session.status_idle', stop_reason: { type: 'end_turn' } }),
  user: (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] }),
  agent: (text: string, id?: string) => ({
    type: 'agent.message',
    content: [{ type: 'text', text }],
    ...(id ? { id } : {}),
  }),
  start: (id: string, type = 'agent.message') => ({ type: 'event_start', event: { id, type } }),
  delta: (id: string, text: string) => ({
    type: 'event_delta',
    event_id: id,
    delta: { type: 'content_delta', index: 0, content: { type: 'text', text } },
  }),
};
