import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlatformClient } from '@inlay/node';
import {
  type Clock,
  type ConfigInput,
  createSqliteStore,
  type RunningServer,
  type Store,
} from '@inlay/server';
import fc from 'fast-check';
import type {
  OpenEnvironment,
  Platform,
  StoredSession,
} from '../../packages/client/src/lib/random-programs/environment.ts';
import {
  arbitraryProgram,
  type Program,
  runProgram,
} from '../../packages/client/src/lib/random-programs/program.ts';
import { TestBed } from '../../packages/client/src/lib/testing/test-bed.ts';
import { startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { startPlatform } from '../start-platform.ts';
import { proxyNetwork } from './proxy-network.ts';
import { SettlingClock } from './settling-clock.ts';

const apiKey = 'sk-service-of-the-random-programs-only';
const origin = 'https://app.example.com';
const unlimited = { requests_per_second: 1_000_000, concurrent: 1_000_000 };

const answer = {
  say: '{text}: an answer of **several** words. Grüße aus Zürich, 東京 und Καλαμάτα.',
};
/** Scripts of the agents. All texts begin with the message. */
const scripts = {
  plain: [{ think: '{text}: thinking.' }, answer],
  tool: [answer, { call: 'look' }, answer],
  ask: [answer, { call: 'act' }, answer],
  page: [{ call: 'read' }, answer],
  fail: [answer, { fail: 'as asked', retryable: true }],
  slow: [{ think: '{text}: thinking.' }, { wait_ms: 3_000 }, answer],
} as const;

const agents = Object.keys(scripts);

const configuration: ConfigInput = {
  limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited, public: unlimited },
  agents: Object.entries(scripts).map(([short_id, script]) => ({
    short_id,
    name: short_id,
    model: { provider: 'scripted', script: [...script], delay_ms: 30, first_delay_ms: 30 },
    tools: [
      { type: 'function', name: 'look', description: 'Look', run: () => 'Seen.' },
      { type: 'function', name: 'act', description: 'Act', permission: 'ask', run: () => 'Done.' },
      { type: 'custom', name: 'read', description: 'Read the page' },
    ],
    appearance: { features: { edit: true } },
    embed: { allowed_origins: [origin], limits: unlimited },
  })),
};

/** Names of the actions that only this environment supports. */
const realActions = ['restart the server', 'duplicate a request', 'reorder responses'];

/**
 * Runs a program against a server with a store on disk, behind a fault proxy. Throws when a check fails.
 */
async function runOnServer(agent: string, program: Program): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-programs-'));
  const clock = new SettlingClock();
  const { elsewhere } = clock;
  const serverClock: Clock = {
    now: elsewhere.now,
    after(milliseconds, callback) {
      const timer = elsewhere.setTimeout(callback, milliseconds);
      return () => elsewhere.clearTimeout(timer);
    },
  };
  const start = (port = 0) =>
    startPlatform(configuration, { apiKey, clock: serverClock, data: folder, port });
  const store = await createSqliteStore({ data: folder });
  let server = await start();
  const target = server.baseUrl.replace('localhost', '127.0.0.1');
  const proxy = await startFaultProxy({
    target,
    halfOpenTimeoutMs: 20_000,
    clock: { now: serverClock.now, setTimeout: (callback, ms) => serverClock.after(ms, callback) },
  });
  const stop = async (running: RunningServer) => {
    // Time must advance, because the server ends with a timer.
    let isStopped = false;
    const stopped = running.stop('immediate').finally(() => {
      isStopped = true;
    });
    while (!isStopped) await clock.advance(50);
    await stopped;
  };
  const { embedTokens, endUsers } = createPlatformClient({ baseUrl: target, apiKey });
  let sessions: readonly StoredSession[] = [];
  const platform: Platform = {
    fetch(input, init) {
      const { pathname, search } = new URL(String(input));
      const headers = new Headers(init?.headers);
      headers.set('origin', origin);
      return fetch(`http://127.0.0.1:${proxy.port}${pathname}${search}`, { ...init, headers });
    },
    get sessions() {
      return sessions;
    },
    async refresh() {
      sessions = await readSessions(store);
    },
    issue: (user, ttl_seconds) =>
      clock.during(embedTokens.issue({ agent, external_user_id: user, ttl_seconds })),
    expire: async (id) => void (await embedTokens.expire(id)),
    revoke: async (id) => void (await embedTokens.revoke(id)),
    revokeAll: async (user) => void (await endUsers.revokeTokens(agent, user)),
    block: async (user) => void (await endUsers.block(agent, user)),
    unblock: async (user) => void (await endUsers.unblock(agent, user)),
  };
  const openEnvironment: OpenEnvironment = (client) => ({
    bed: new TestBed({ client }, clock),
    network: proxyNetwork(proxy),
    platform,
    actions: {
      async 'restart the server'() {
        await stop(server);
        server = await start(Number(new URL(server.baseUrl).port));
      },
      'duplicate a request': (choice) =>
        void proxy.faults.add(
          { type: 'duplicate', answer: choice % 2 === 0 ? 'first' : 'second' },
          { method: 'POST', nth: 1 },
        ),
      'reorder responses': () => void proxy.faults.add({ type: 'reorder' }, { nth: 1 }),
    },
  });
  try {
    await runProgram(program, openEnvironment);
  } finally {
    await proxy.close();
    await stop(server);
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the sessions of both users from the store, because the API shows each user only their own. */
async function readSessions({ db }: Store): Promise<readonly StoredSession[]> {
  const sessions = await db.selectFrom('sessions').selectAll().orderBy('created_at').execute();
  const events = await db.selectFrom('events').selectAll().orderBy('seq').execute();
  return sessions.map(({ id, external_user_id: user, status }) => ({
    id,
    user,
    running: status !== 'idle',
    log: events.filter((event) => event.session_id === id).map(({ json }) => JSON.parse(json)),
  }));
}

/** Runs random programs on a server. */
export const serverProgram = fc.asyncProperty(
  fc.constantFrom(...agents),
  arbitraryProgram(realActions),
  runOnServer,
);
