import { createHash } from 'node:crypto';
import { IssueTokenResponse } from '@inlay/protocol';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { type App, createApp } from '../app.ts';
import type { Bus } from '../bus/bus.ts';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import type { Clock } from '../clock.ts';
import type { ConfigInput } from '../config/config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { consoleUrlFrom } from '../console/console-url.ts';
import { createInProcessLimiter } from '../limits/in-process-limiter.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { hashSecret, type Random } from '../random.ts';
import { createServices } from '../services.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { LookupHost } from '../webhooks/public-address.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import {
  watchedRandom,
  watchResponse,
  watchSecret,
  watchWritten,
} from './secret-watch/secret-watch.ts';
import { watchStore } from './secret-watch/watch-worker.ts';
import { openTestStore } from './test-store.ts';

export const testApiKey = 'sk-service-test-key-of-the-host-backend';
/** API key that the platform sends to the upstreams of tests. */
export const upstreamKey = 'sk-upstream-secret-of-the-platform';
/** The origin that the test agent's policy allows. */
export const testOrigin = 'https://app.example.com';
export const testBaseUrl = 'https://chat.example.test';

export interface ServerSetup {
  app: App;
  store: Store;
  bus: Bus;
  clock: FakeClock;
  /** The log, one JSON object per line. */
  logLines: string[];
  /** Calls the API as the host's backend. */
  backend(method: string, path: string, body?: unknown): Promise<Response>;
  /** Calls the API with an embed token, by default from the allowed origin. */
  requestAsUser(
    token: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: HeaderFields,
  ): Promise<Response>;
  /** Calls the API without a credential, by default from the allowed origin. */
  requestAsPage(
    method: string,
    path: string,
    body?: unknown,
    headers?: HeaderFields,
  ): Promise<Response>;
  /** Issues a token for `user` of the agent `test`. */
  issue(user?: string, fields?: object): Promise<IssueTokenResponse>;
  close(): Promise<void>;
}

type HeaderFields = Record<string, string>;

export interface SetupOptions {
  /** Overrides of the test agent's settings. */
  agent?: Partial<ConfigInput['agents'][number]>;
  /** Overrides of the rest of the configuration. */
  config?: Partial<ConfigInput>;
  /**
   * The store of another server, to simulate two processes with one database. `close` leaves it
   * open.
   */
  sharedStore?: Store;
  /** Whether no other process uses the store. */
  isAlone?: boolean;
  /** Seed of the random numbers; servers that share a store need different seeds. */
  seed?: string;
  /** Directory of an embedded store. By default, `openTestStore` opens the store. */
  data?: string;
  /** Replaces the fake clock, for tests over real connections. */
  realClock?: Clock;
  baseUrl?: string;
  secrets?: Record<string, string>;
  webDirectory?: string;
  metrics?: Metrics;
  /** Resolves the hosts of webhook endpoints. */
  lookupHost?: LookupHost;
}

/**
 * Sets up a platform in memory, with a fake clock and reproducible random numbers. It is closed after the
 * test, before the store is emptied: work that is still under way would write to the store of the next test.
 */
export async function setupServer(options: SetupOptions = {}): Promise<ServerSetup> {
  const clock = createFakeClock();
  const usedClock = options.realClock ?? clock;
  const logLines: string[] = [];
  const log = createLogger(usedClock.now, (line) => {
    logLines.push(line);
    watchWritten('the log', line);
  });
  const store = {
    ...(await openStore(options, log)),
    now: () => sql.val(usedClock.now()),
  };
  const bus = createInProcessBus(log, { isAlone: options.isAlone ?? false });
  for (const secret of [testApiKey, ...Object.values(options.secrets ?? {})]) watchSecret(secret);
  const baseUrl = options.baseUrl ?? testBaseUrl;
  const config = parseConfig(testConfig(options), 'The configuration of the test');
  const services = await createServices({
    config,
    baseUrl,
    consoleUrl: consoleUrlFrom(config, { baseUrl, port: null }),
    store,
    bus,
    clock: usedClock,
    random: watchedRandom(createSeededRandom(options.seed)),
    log,
    limiter: createInProcessLimiter(usedClock),
    apiKeyHashes: [hashSecret(testApiKey)],
    secret: (name) => options.secrets?.[name],
    webDirectory: options.webDirectory ?? '/nonexistent',
    metrics: options.metrics,
    lookupHost: options.lookupHost,
    version: '0.0.0-test',
  });
  const createdApp = await createApp(services);

  const app: App = {
    ...createdApp,
    async request(...args) {
      const response = await createdApp.request(...args);
      if (/\bjson\b/.test(response.headers.get('content-type') ?? '')) {
        watchResponse(String(args[0]), response.status, await response.clone().text());
      }
      return response;
    },
  };

  const call = async (method: string, path: string, body: unknown, headers: HeaderFields) =>
    app.request(path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const backend: ServerSetup['backend'] = (method, path, body) =>
    call(method, path, body, { authorization: `Bearer ${testApiKey}` });

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= app.close().then(() => store.close());
    return closing;
  };
  onTestFinished(close);

  return {
    app,
    store,
    bus,
    clock,
    logLines,
    backend,
    requestAsUser: (token, method, path, body, headers = {}) =>
      call(method, path, body, {
        authorization: `Bearer ${token}`,
        origin: testOrigin,
        ...headers,
      }),
    requestAsPage: (method, path, body, headers = {}) =>
      call(method, path, body, { origin: testOrigin, ...headers }),
    async issue(user = 'ada', fields = {}) {
      const response = await backend('POST', '/agent/v1/embed_tokens', {
        agent: 'test',
        external_user_id: user,
        ...fields,
      });
      if (response.status !== 200) throw new Error(await response.text());
      return IssueTokenResponse.parse(await response.json());
    },
    close,
  };
}

async function openStore({ sharedStore, data }: SetupOptions, log: Logger): Promise<Store> {
  if (sharedStore) return { ...sharedStore, close: async () => {} };
  return watchStore(
    data === undefined ? await openTestStore(log) : await createSqliteStore({ data }),
  );
}

/**
 * Configuration with high limits, unless a test overrides them, because the windows of rate limits
 * never end on a fake clock that stands still.
 */
function testConfig({ agent, config }: SetupOptions): ConfigInput {
  const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
  return {
    prices: { m: {} },
    ...config,
    limits: {
      api_key: unlimited,
      api_key_stops: unlimited,
      source: unlimited,
      public: unlimited,
      ...config?.limits,
    },
    agents: config?.agents ?? [
      {
        short_id: 'test',
        name: 'Test agent',
        model: { provider: 'scripted', delay_ms: 0, first_delay_ms: 0 },
        publishable_keys: [{ key: 'pk_test' }],
        ...agent,
        embed: { allowed_origins: [testOrigin], limits: unlimited, ...agent?.embed },
      },
    ],
  };
}

/** Creates a source of random bytes that are the same in each run. */
function createSeededRandom(seed = 'seed'): Random {
  let counter = 0;
  return {
    bytes(count) {
      counter += 1;
      return createHash('shake256', { outputLength: count }).update(`${seed} ${counter}`).digest();
    },
  };
}
