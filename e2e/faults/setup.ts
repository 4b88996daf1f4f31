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

/** The page that the agent's policy allows. */
export const origin = 'https://app.example.com';

const unlimited = { requests_per_second: 10_000, concurrent: 1_000 };

/** An agent that answers in words of a few milliseconds each. */
export const steady = { provider: 'scripted' as const, delay_ms: 5, first_delay_ms: 5 };

export interface SiteOptions {
  readonly agent?: Partial<ConfigInput['agents'][number]>;
  readonly clock?: Clock;
}

/** A real server, a proxy before it, and people who come through the proxy. */
export async function startSite({ agent, clock = systemClock }: SiteOptions = {}) {
  const config: ConfigInput = {
    limits: { api_key: unlimited, source: unlimited },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: steady,
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

  /** A browser tab of a person, behind the proxy unless told otherwise. */
  function openTab(options: TabOptions = {}) {
    const tab = createTab({ baseUrl: proxy.url, ...options }, async (current) => {
      const { id, token } = await platform.embedTokens.issue({
        agent: 'test',
        external_user_id: options.user ?? 'ada',
      });
      tab.issued.push(id);
      tab.asked.push(current);
      return token;
    });
    clients.push(tab.client);
    return tab;
  }

  /** A session and its log as the platform has them. */
  async function logged(sessionId: string, user = 'ada') {
    const { token } = await platform.embedTokens.issue({ agent: 'test', external_user_id: user });
    const headers = { authorization: `Bearer ${token}`, origin };
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${server.baseUrl}/agent/v1/sessions/${sessionId}${path}`, { headers })).json();
    const { usage } = (await read('')) as { usage: Record<string, number> };
    const { data } = (await read('/events?limit=200')) as { data: { type: string }[] };
    const types = data.map(({ type }) => type);
    return { usage, types, count: (type: string) => types.filter((each) => each === type).length };
  }

  return { server, proxy, platform, openTab, logged };
}

export interface TabOptions extends Partial<Omit<InlayClientOptions, 'ports'>> {
  readonly user?: string;
  readonly ports?: Partial<Ports>;
  /** In place of the one that gets a token from the backend. */
  readonly getToken?: GetToken;
}

/** What went out, for a test to look at. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

/** A client as a browser has it: with an origin, a page, and no wait of any length between tries. */
export function createTab(options: TabOptions & { baseUrl: string }, issue: GetToken) {
  const { user: _user, getToken = issue, ports, ...rest } = options;
  const page = new FakePage();
  const sent: Sent[] = [];
  const diagnostics: Diagnostic[] = [];
  const asked: (string | null)[] = [];
  const issued: string[] = [];
  let skipped = 0;
  const clock = {
    now: () => Date.now() + skipped,
    mono: () => performance.now(),
    setTimeout: (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds),
    clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  /** Moves the wall clock on, and nothing else. */
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
  return { client, page, sent, diagnostics, asked, issued, skip };
}

/** The requests for streams among those that went out. */
export const streamsOf = (sent: readonly Sent[]) =>
  sent.filter(({ path }) => path.includes('/events/stream'));

/** Waits until something is so. The test's own time limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Waits until the agent has finished, and everything that was said is in the log. */
export async function finished(conversation: Conversation): Promise<void> {
  await until(() => {
    const { running, stopReason, entries } = conversation.state;
    const all = entries.every((entry) => entry.kind !== 'user' || entry.delivery === 'sent');
    return !running && stopReason !== null && all;
  });
}

/** Waits until so many letters of an answer are shown. */
export async function answering(conversation: Conversation, letters = 20): Promise<void> {
  await until(() => {
    const last = conversation.state.entries.at(-1);
    return last?.kind === 'agent' && last.text.length >= letters;
  });
}

/** All that is shown, with nothing that differs from tab to tab. */
export function transcript(conversation: Conversation): unknown[] {
  return conversation.state.entries.map(({ key: _key, ...entry }) => entry);
}
