import { createScriptedPlatform, type EventDraft } from '@inlay/client/testing';
import type { EmbedConfig, ProblemCode } from '@inlay/protocol';

let undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.reverse()) step();
  undo = [];
});

interface Seen {
  readonly name: string;
  readonly body: Record<string, unknown>;
}

/**
 * A platform of its own for a test, inside the page. A token is `et_<end user>_<anything>`.
 *
 * @param settings - What the agent's settings are to have otherwise.
 */
export function testPlatform(settings: Partial<EmbedConfig> = {}) {
  // Test files run in several pages at once, and share what the browser stores.
  const name = crypto.getRandomValues(new Uint32Array(2)).join('x');
  const baseUrl = `${location.origin}/platform-${name}`;
  const platform = createScriptedPlatform({
    baseUrl,
    answer: null,
    config: (user) => ({ ...configFor(user), ...now }),
    publishableKeys: ['pk_demo'],
  });
  const tokens = new Set<string>();
  const tokenCalls: Seen[] = [];
  let signedIn: string | null = null;
  let now = settings;

  const issue = (user: string, token = `et_${user}_${tokens.size + 1}`) => {
    tokens.add(token);
    return platform.issue(user, { token });
  };
  /** What a host backend's token endpoint does. */
  const answerToken = (method: string) => {
    tokenCalls.push({ name: `${method} token`, body: {} });
    const nobody = Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 });
    return signedIn === null ? nobody : Response.json(issue(signedIn));
  };
  undo.push(platform.interceptFetch());
  const intercepted = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (String(input) === `${baseUrl}/token`) return answerToken(init?.method ?? 'GET');
    const token = /^Bearer (et_(\w+?)_.*)/.exec(
      new Headers(init?.headers).get('authorization') ?? '',
    );
    const isOurs = String(input).startsWith(`${baseUrl}/`);
    if (isOurs && token?.[1] && token[2] && !tokens.has(token[1])) issue(token[2], token[1]);
    return intercepted(input, init);
  };
  undo.push(() => {
    globalThis.fetch = intercepted;
  });

  return {
    baseUrl,
    /** Address of the host backend's token endpoint. */
    tokenUrl: `${baseUrl}/token`,
    /** Refuses every call with this code; null refuses none. */
    refuse(code: ProblemCode | null): void {
      platform.faults.clear();
      if (code) platform.faults.failNext({ code }, /^/, Infinity);
    },
    /** Changes the agent's settings for chats that ask from now on. */
    configure(changes: Partial<EmbedConfig>): void {
      now = { ...now, ...changes };
    },
    /** Signs a user in on the host page, for its token endpoint; null signs out. */
    signIn(user: string | null): void {
      signedIn = user;
    },
    /** Revokes every token that was issued so far. */
    revokeTokens(): void {
      for (const token of tokens) platform.revoke(token);
    },
    /** Makes a session of this end user and returns its id. */
    seed(user: string, drafts: readonly EventDraft[]): string {
      const session = platform.createSession({ user });
      session.append(...drafts);
      return session.id;
    },
    /** Puts events into the log of the newest session, and onto its streams. */
    append: (...drafts: EventDraft[]) => platform.session().append(...drafts),
    /** Sends events on the streams of the newest session, without logging them. */
    live(...drafts: EventDraft[]): void {
      for (const draft of drafts) platform.session().live(draft);
    },
    /** Lets no request through, as a network that is gone. */
    goOffline: () => platform.faults.goOffline(),
    goOnline: () => platform.faults.goOnline(),
    /** How many streams are open. */
    streams: () => platform.faults.openStreams,
    /** Every call so far. */
    requests: (): Seen[] => [
      ...tokenCalls,
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

/** Events as a platform writes them into a log. */
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
