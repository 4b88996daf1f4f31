import {
  type Conversation,
  createInlayClient,
  type Diagnostic,
  type GetToken,
  hostTokens,
  type InlayClient,
  type InlayClientOptions,
  type Ports,
} from '@inlay/client';
import { FakePage } from '@inlay/client/testing';
import { createPlatformClient } from '@inlay/node';
import { type Clock, type ConfigInput, systemClock } from '@inlay/server';
import { onTestFinished } from 'vitest';
import { startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { startPlatform } from '../start-platform.ts';
import { apiKey } from './platform-process.ts';

/** Origin that the agent allows. */
export const origin = 'https://app.example.com';

const unlimited = { requests_per_second: 10_000, concurrent: 1_000 };

/** A scripted model that sends a word every few milliseconds. */
const streamingModel = { provider: 'scripted' as const, delay_ms: 5, first_delay_ms: 5 };

export interface SiteOptions {
  readonly agent?: Partial<ConfigInput['agents'][number]>;
  readonly clock?: Clock;
}

/** Starts a real server with a fault proxy in front of it. */
export async function startSite({ agent, clock = systemClock }: SiteOptions = {}) {
  const config: ConfigInput = {
    limits: { api_key: unlimited, source: unlimited },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: streamingModel,
        publishable_keys: [{ key: 'pk_test' }],
        ...agent,
        embed: { allowed_origins: [origin], limits: unlimited, ...agent?.embed },
      },
    ],
  };
  const server = await startPlatform(config, { apiKey, clock });
  const proxy = await startFaultProxy({ target: server.baseUrl });
  const platform = createPlatformClient({ baseUrl: server.baseUrl, apiKey });
  const clients: InlayClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await proxy.close();
    await server.stop();
  });

  /** Opens a client as in a browser tab, by default behind the proxy. */
  function openTab(options: TabOptions = {}) {
    const tab = createTab({ baseUrl: proxy.url, ...options }, async (current) => {
      const { id, token } = await platform.embedTokens.issue({
        agent: 'test',
        external_user_id: options.user ?? 'ada',
      });
      tab.issued.push(id);
      tab.tokenRequests.push(current);
      return token;
    });
    clients.push(tab.client);
    return tab;
  }

  /** Reads the usage and the event types of a session from the server. */
  async function readSession(sessionId: string, user = 'ada') {
    const { token } = await platform.embedTokens.issue({ agent: 'test', external_user_id: user });
    const headers = { authorization: `Bearer ${token}`, origin };
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${server.baseUrl}/agent/v1/sessions/${sessionId}${path}`, { headers })).json();
    const { usage } = (await read('')) as { usage: Record<string, number> };
    const { data } = (await read('/events?limit=200')) as { data: { type: string }[] };
    const types = data.map(({ type }) => type);
    return { usage, types, count: (type: string) => types.filter((each) => each === type).length };
  }

  return { server, proxy, platform, openTab, readSession };
}

export interface TabOptions extends Partial<Omit<InlayClientOptions, 'ports'>> {
  readonly user?: string;
  readonly ports?: Partial<Ports>;
  /** Replaces the default, which requests a token from the platform. */
  readonly getToken?: GetToken;
}

/** A request that the client sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

/**
 * Creates a client with the allowed origin and a fake page. Its random numbers are 0, so that it waits
 * only 1 ms before a retry.
 */
export function createTab(options: TabOptions & { baseUrl: string }, issue: GetToken) {
  const { user: _user, getToken = issue, ports, ...rest } = options;
  const page = new FakePage();
  const sent: SentRequest[] = [];
  const diagnostics: Diagnostic[] = [];
  const tokenRequests: (string | null)[] = [];
  const issued: string[] = [];
  let skipped = 0;
  const clock = {
    now: () => Date.now() + skipped,
    mono: () => performance.now(),
    setTimeout: (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds),
    clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  /** Advances the wall clock, but no timers. */
  const skip = (milliseconds: number) => {
    skipped += milliseconds;
  };
  const client = createInlayClient({
    tokens: hostTokens(getToken),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...rest,
    ports: {
      page,
      clock,
      random: () => 0,
      frame: (callback) => {
        const timer = setTimeout(callback, 0);
        return () => clearTimeout(timer);
      },
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        const { pathname, search } = new URL(String(url));
        const path = pathname.replace('/agent/v1', '') + search;
        sent.push({ method: init?.method ?? 'GET', path, headers });
        headers.set('origin', origin);
        return fetch(url, { ...init, headers });
      },
      ...ports,
    },
  });
  return { client, page, sent, diagnostics, tokenRequests, issued, skip };
}

/** Selects the requests for event streams. */
export const streamRequestsOf = (sent: readonly SentRequest[]) =>
  sent.filter(({ path }) => path.includes('/events/stream'));

/** Resolves when the condition is true. The time limit of the test ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Resolves when the agent is idle and all messages are sent. */
export async function untilFinished(conversation: Conversation): Promise<void> {
  await until(() => {
    const { running, stopReason, entries } = conversation.state;
    const all = entries.every((entry) => entry.kind !== 'user' || entry.delivery === 'sent');
    // A further message arrives before the start of its run, with the stop reason of the last run.
    const isAnswered = entries.at(-1)?.kind !== 'user';
    return !running && stopReason !== null && all && isAnswered;
  });
}

/** Resolves when the text of the last answer has at least this many characters. */
export async function untilText(conversation: Conversation, characters = 20): Promise<void> {
  await until(() => {
    const last = conversation.state.entries.at(-1);
    return last?.kind === 'agent' && last.text.length >= characters;
  });
}

/** The entries of a conversation without properties that differ between tabs. */
export function transcript(conversation: Conversation): unknown[] {
  return conversation.state.entries.map(({ key: _key, ...entry }) => entry);
}
