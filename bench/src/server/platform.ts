import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { HttpConnection, type Request } from './http-connection.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const apiKey = `sk-service-${'bench'.repeat(8)}`;
/** Rate limits that are never reached. */
const unlimitedRate = { requests_per_second: 1_000_000, concurrent: 1_000_000 };

export interface PlatformOptions {
  /** @default 'full', the default of the product */
  synchronous?: 'full' | 'normal';
  /** @default a new temporary directory */
  data?: string;
  /** Answer to every message, sent without delay. `{text}` is replaced by the message. */
  answer?: string;
  /** Base URL of the upstream of the message-model family. */
  upstream?: string;
  /**
   * Whether requests without a valid credential have the default limits, by the address in
   * `X-Forwarded-For`.
   *
   * @default false
   */
  limitsSources?: boolean;
  /**
   * Whether budgets limit the costs of each session and of each user, so that each model call reserves
   * its cost.
   *
   * @default false
   */
  hasBudgets?: boolean;
  /** Additional environment variables: `DATABASE_URL`, `REDIS_URL`. */
  environment?: Record<string, string>;
}

/** The platform in a separate process, with its store on disk. */
export interface Platform extends ServerProcess {
  readonly baseUrl: string;
  /** Sends a request with the API key. */
  callAsBackend(path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Sends a request with an embed token. */
  callAsUser(token: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const folder = temporaryFolder('platform');
  const configuration = join(folder, 'inlay.config.json');
  writeFileSync(configuration, JSON.stringify(configurationOf(options)));
  const server = await startServerProcess({
    kind: 'platform',
    environment: {
      INLAY_CONFIG: configuration,
      INLAY_DATA: options.data ?? join(folder, 'data'),
      INLAY_API_KEY: apiKey,
      ...options.environment,
    },
  });
  // Pool of idle connections. Each concurrent request uses a separate connection.
  const connections = [await HttpConnection.open(server.port)];
  const post = async (token: string, path: string, body: unknown) => {
    const connection = connections.pop() ?? (await HttpConnection.open(server.port));
    const response = await connection.request({
      method: 'POST',
      path,
      headers: token === apiKey ? { authorization: `Bearer ${token}` } : userHeaders(token),
      ...(body !== undefined && { body }),
    });
    connections.push(connection);
    const text = response.body.toString();
    if (response.status !== 200)
      throw new Error(`POST ${path} responded with ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    ...server,
    baseUrl: `http://localhost:${server.port}`,
    callAsBackend: (path, body) => post(apiKey, path, body),
    callAsUser: post,
    async stop() {
      for (const connection of connections) connection.close();
      await server.stop();
    },
  };
}

function configurationOf(options: PlatformOptions) {
  const { synchronous = 'full', answer = 'Yes.', upstream, limitsSources = false } = options;
  const price = { input_cents_per_million: 1, output_cents_per_million: 1 };
  return {
    ...(limitsSources && { trusted_proxies: 1 }),
    ...(upstream && { compatible: { message_model: { upstream: { base_url: upstream } } } }),
    store: { synchronous },
    ...(options.hasBudgets && { prices: { scripted: price } }),
    limits: {
      api_key: unlimitedRate,
      api_key_stops: unlimitedRate,
      ...(!limitsSources && { source: unlimitedRate, public: unlimitedRate }),
      // All connections of a benchmark come from one address.
      process: { source_connections: 1_000_000, stream_opens_per_second: 1_000_000 },
    },
    streams: { drain_seconds: 0 },
    agents: [
      {
        short_id: 'bench',
        name: 'Bench',
        appearance: { features: { forget_me: true } },
        model: {
          provider: 'scripted',
          script: [{ say: answer }],
          delay_ms: 0,
          first_delay_ms: 0,
        },
        embed: {
          default_ttl_seconds: 3600,
          allowed_origins: ['http://localhost:*'],
          limits: unlimitedRate,
          ...(options.hasBudgets && {
            default_budget_cents: 1_000_000,
            spend_cents_per_user_per_day: 1_000_000,
          }),
        },
      },
    ],
  };
}

/** Request headers of a page with an allowed origin. */
function userHeaders(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, origin: 'http://localhost:1' };
}

/** Creates a request that the platform forwards to the upstream of the message-model family. */
export function forwardedRequest(path: string): Request {
  return {
    method: 'POST',
    path: `/message-model${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {},
  };
}

/** Creates a request of the backend that reads. */
export function readRequest(path: string): Request {
  return { method: 'GET', path, headers: { authorization: `Bearer ${apiKey}` } };
}

/** Creates a request for a token. */
export function issueTokenRequest(user: string): Request {
  return {
    method: 'POST',
    path: '/agent/v1/embed_tokens',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { agent: 'bench', external_user_id: user },
  };
}

/** An end user with a token and a session. */
export interface BenchUser {
  token: string;
  issuanceId: string;
  session: string;
}

/** Creates a request that sends a message to the agent. */
export function messageRequest({ token, session }: BenchUser, text: string, key: string): Request {
  const content = [{ type: 'text', text }];
  return {
    method: 'POST',
    path: `/agent/v1/sessions/${session}/events`,
    headers: { ...userHeaders(token), 'idempotency-key': key },
    body: { events: [{ type: 'user.message', content }] },
  };
}

/** Creates the request for the event stream of a session. */
export function streamRequest({ token, session }: BenchUser): Request {
  return {
    method: 'GET',
    path: `/agent/v1/sessions/${session}/events/stream?event_deltas[]=agent.message`,
    headers: { ...userHeaders(token), accept: 'text/event-stream' },
  };
}

/** Issues a token to a user. */
export async function signIn(platform: Platform, user: string) {
  const { path, body } = issueTokenRequest(user);
  const issued = await platform.callAsBackend(path, body);
  return { token: String(issued.token), issuanceId: String(issued.id) };
}

/** Issues a token to a user and creates a session. */
export async function createBenchUser(platform: Platform, user: string): Promise<BenchUser> {
  const signedIn = await signIn(platform, user);
  const session = await platform.callAsUser(signedIn.token, '/agent/v1/sessions', {});
  return { ...signedIn, session: String(session.id) };
}
