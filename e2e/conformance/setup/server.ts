import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConfigInput,
  createLogger,
  parseConfig,
  readSettings,
  startServer,
  systemRandom,
} from '@inlay/server';
import { expect, onTestFinished } from 'vitest';
import { ManualClock } from '../../fault-proxy/manual-clock.ts';

export const apiKey = 'sk-service-key-of-the-conformance-suite';
/** The origin that the agent `helper` allows. */
export const origin = 'https://app.example.com';
export const publishableKey = 'pk_conformance';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };

type AgentInput = ConfigInput['agents'][number];

export interface ServerOptions {
  /** Overrides of the configuration. */
  readonly config?: Partial<ConfigInput>;
  /** Overrides of the settings of the agent `helper`. */
  readonly agent?: Partial<AgentInput>;
  /** Overrides of the embed policy of `helper`. */
  readonly policy?: AgentInput['embed'];
  /**
   * Milliseconds since the epoch at which the clock starts.
   *
   * @default noon of 15 January 2026
   */
  readonly startTime?: number;
  /** Secrets of the environment by name. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A response with its body, parsed if it is JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Headers by lower-case name, to compare several in one assertion. */
  readonly fields: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the members of any body.
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Time in UTC: ISO 8601 or RFC 3339 with `Z`. */
export const utcTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);

/**
 * Starts the real server on a free port, with SQLite in a temporary folder and a clock that only the
 * test advances. Stops the server when the test ends. The default rate limits are never reached.
 */
export async function startReferenceServer(options: ServerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-conformance-'));
  const clock = new ManualClock(options.startTime ?? Date.UTC(2026, 0, 15, 12));
  const server = await startServer({
    settings: readSettings({ PORT: '0', INLAY_DATA: folder, INLAY_API_KEY: apiKey }),
    config: parseConfig(configurationOf(options), 'The configuration of the test'),
    clock: {
      now: () => clock.now(),
      after: (milliseconds, callback) => clock.setTimeout(callback, milliseconds),
    },
    random: systemRandom,
    log: createLogger(
      () => clock.now(),
      () => {},
    ),
    secret: (name) => options.secrets?.[name],
    webDirectory: '/nonexistent',
    version: '0.0.0-test',
  });
  onTestFinished(async () => {
    // A stopping server waits for open connections, with timers of the test's clock.
    const timer = setInterval(() => clock.advance(1000), 10);
    await server.stop('immediate');
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = server.baseUrl;

  /** Sends a request without a credential. The body is sent as JSON, unless it is a string. */
  const send = (method: string, path: string, { body, headers, signal }: RequestOptions = {}) =>
    fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const request = async (method: string, path: string, sent?: RequestOptions): Promise<Reply> =>
    readReply(await send(method, path, sent));
  const as = (credential: string, fields: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${credential}`, ...fields };
    return (method: string, path: string, body?: unknown) =>
      request(method, path, { headers, ...(body !== undefined && { body }) });
  };
  const backend = as(apiKey);

  return {
    url,
    clock,
    /** The folder of the store. */
    folder,
    send,
    /** Sends a request without a credential, and reads the response. */
    request,
    /** Returns a function that sends requests with a credential. */
    as,
    /** Sends a request as the host's backend, with the API key. */
    backend,
    /** Returns a function that sends requests with an embed token, from the allowed origin. */
    asUser: (token: string) => as(token, { origin }),
    /** Sends a request as a page of the allowed origin. */
    page: (method: string, path: string, body?: unknown) =>
      request(method, path, { headers: { origin }, body }),
    /** Issues an embed token of the agent `helper` for `ada`; `fields` are added to the request. */
    async issue(fields: object = {}): Promise<{ id: string; token: string; expires_at: string }> {
      const body = { agent: 'helper', external_user_id: 'ada', ...fields };
      const reply = await backend('POST', '/agent/v1/embed_tokens', body);
      expect(reply.body).toMatchObject({ id: expect.any(String) });
      return reply.body;
    },
  };
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    fields: Object.fromEntries(response.headers),
    body: isJson ? JSON.parse(text) : text,
  };
}

function configurationOf({ config, agent, policy }: ServerOptions): ConfigInput {
  return {
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
        short_id: 'helper',
        name: 'Helper',
        model: { provider: 'scripted', delay_ms: 0, first_delay_ms: 0 },
        publishable_keys: [{ key: publishableKey }],
        ...agent,
        embed: { allowed_origins: [origin], limits: unlimited, ...policy },
      },
    ],
  };
}

/** Checks that a response is a problem with this status and code. */
export function expectProblem(reply: Reply, status: number, code: string): void {
  expect([reply.status, reply.body.code]).toEqual([status, code]);
}

/** Checks that a response rejects the field at `pointer` as invalid. */
export function expectInvalid(reply: Reply, pointer: string, code = 'VALIDATION_ERROR'): void {
  expectProblem(reply, 400, code);
  expect(reply.body.errors).toContainEqual({ pointer, message: expect.any(String) });
}
