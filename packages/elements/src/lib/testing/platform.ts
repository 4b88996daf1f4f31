import type { EmbedConfig } from '@inlay/protocol';

export interface TestPlatform {
  readonly baseUrl: string;
  /** Replaces parts of `embed/config`. */
  config(config: Partial<EmbedConfig>): Promise<void>;
  /** Refuses every call with this code; null refuses none. */
  refuse(code: string | null): Promise<void>;
  /** Signs a person in on the host page, for its token endpoint; null signs out. */
  signIn(user: string | null): Promise<void>;
  /** Address of the host backend's token endpoint. */
  readonly tokenUrl: string;
  /** Ends every open stream the way a platform ends that of a token. */
  endStreams(code: string): Promise<void>;
  /** Keeps calls waiting, for example `POST /sessions`, until they are released. */
  hold(name: string): Promise<void>;
  release(name: string): Promise<void>;
  /** Makes a session of this end user and returns its id. */
  seed(user: string, events: readonly object[]): Promise<string>;
  /** Puts events into the log of the newest session, and onto its streams. */
  append(...events: object[]): Promise<void>;
  /** Sends events on the streams of the newest session, without logging them. */
  live(...events: object[]): Promise<void>;
  /** How many streams are open. */
  streams(): Promise<number>;
  /** Every call so far, oldest first. */
  requests(): Promise<readonly { name: string; body: Record<string, unknown> }[]>;
}

let count = 0;

/** A platform of its own for a test, over real HTTP: see `test-platform/platform.mjs`. */
export function testPlatform(): TestPlatform {
  count += 1;
  // Test files run in several pages at once.
  const name = `t${count}x${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const baseUrl = `${location.origin}/test-platform/${name}`;
  const order = async (body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${baseUrl}/control`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The test platform answered ${response.status}.`);
    return response.json();
  };
  const command = async (body: object) => void (await order(body));
  return {
    baseUrl,
    tokenUrl: `${baseUrl}/token`,
    signIn: (user) => command({ type: 'sign_in', user }),
    config: (config) => command({ type: 'config', config }),
    refuse: (code) => command({ type: 'refuse', code }),
    endStreams: (code) => command({ type: 'end_streams', code }),
    hold: (call) => command({ type: 'hold', name: call }),
    release: (call) => command({ type: 'release', name: call }),
    seed: async (user, events) => String((await order({ type: 'seed', user, events })).session_id),
    append: (...events) => command({ type: 'append', events }),
    live: (...events) => command({ type: 'live', events }),
    streams: async () => Number((await order({ type: 'streams' })).count),
    requests: async () =>
      (await order({ type: 'requests' })).requests as {
        name: string;
        body: Record<string, unknown>;
      }[],
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
