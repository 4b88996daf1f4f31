import type { Server } from 'node:http';
import { type App, createApp } from './app.ts';
import { createFirstApiKey, hashEnvironmentKey } from './auth/api-keys.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { ModelConfig } from './config/model.ts';
import type { ModelProvider } from './config/models.ts';
import { ConfigError } from './config/parse-config.ts';
import type { Settings } from './config/settings.ts';
import { createHttpServer } from './http/http-server.ts';
import { describeError, type Logger } from './log/logger.ts';
import type { Random } from './random.ts';
import type { ServiceOptions } from './service-options.ts';
import { type Backends, createServices, openBackends } from './services.ts';

/** Milliseconds for open requests to finish when the server stops. */
const graceMs = { gently: 5000, now: 500 };

export interface StartOptions {
  settings: Settings;
  config: Config;
  clock: Clock;
  random: Random;
  log: Logger;
  secret: ServiceOptions['secret'];
  webDirectory: string;
  version: string;
}

export interface RunningServer {
  app: App;
  /** Public URL, without a trailing slash. */
  baseUrl: string;
  /** The address and the public URL, as text for the operator. */
  place: string;
  /** An API key that was created at this start, to be shown once. */
  newApiKey: string | null;
  /**
   * Stops the server: ends streams, stops accepting connections, writes pending data. Idempotent.
   *
   * @param how `gently` ends streams gradually, and handles requests in the meantime; `now` skips
   *   or cuts that short.
   * @default how 'gently'
   */
  stop(how?: 'gently' | 'now'): Promise<void>;
}

/** Opens the backends that the settings name, listens on the port, and handles requests. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  requireUpstreamKeys(options.config, options.secret);
  const backends = await openBackends(options);
  const cleanups: (() => unknown)[] = [() => backends.close()];
  try {
    return await startOn(backends, cleanups, options);
  } catch (error) {
    for (const step of cleanups.reverse()) await step();
    throw error;
  }
}

/**
 * Starts the server.
 *
 * @param cleanups Collects cleanup functions, to be called in reverse order if a later step fails.
 */
async function startOn(
  backends: Backends,
  cleanups: (() => unknown)[],
  options: StartOptions,
): Promise<RunningServer> {
  const { settings, config, clock, log } = options;
  const apiKeyHashes = settings.apiKey ? [hashEnvironmentKey(settings.apiKey)] : [];
  // The public URL may depend on the port, so the app is created after listening. Requests wait
  // until it is ready.
  let started: (app: App) => void = () => {};
  const ready = new Promise<App>((resolve) => {
    started = resolve;
  });
  const server = createHttpServer(ready);
  // Longer than the idle timeout of load balancers (60 s), so that they close connections first.
  server.keepAliveTimeout = 65_000;
  const port = await listen(server, settings);
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
  const services = await createServices({
    ...options,
    ...backends,
    baseUrl,
    apiKeyHashes,
    webDirectory: config.web_directory ?? options.webDirectory,
  });
  cleanups.push(() => services.close());
  const app = createApp(services);
  // Last, because a new key is shown only once: it would be lost if a later step failed.
  const newApiKey = settings.apiKey ? null : await createFirstApiKey({ ...options, ...backends });
  started(app);

  const hurry = new AbortController();
  let isStopping = false;
  // While stopping, requests on kept-alive connections are handled, but the connections close.
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('connection', 'close');
  });
  let stopping: Promise<void> | undefined;
  return {
    app,
    baseUrl,
    place:
      settings.baseUrl === null ? baseUrl : `${settings.host}:${port}, for ${settings.baseUrl}`,
    newApiKey,
    stop: (how = 'gently') => {
      if (how === 'now') hurry.abort();
      stopping ??= stop();
      return stopping;
    },
  };

  async function stop(): Promise<void> {
    isStopping = true;
    await app.drain(hurry.signal);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const grace = hurry.signal.aborted ? graceMs.now : graceMs.gently;
    const cancel = clock.after(grace, () => server.closeAllConnections());
    await app.close().catch((error) => log.error('stopping failed', describeError(error)));
    const cancelSweep = closeWhenIdle();
    await closed;
    cancel();
    cancelSweep();
    await backends.close();
  }

  /** Closes connections as they become idle: no further request is expected on them. */
  function closeWhenIdle(): () => void {
    server.closeIdleConnections();
    let cancelNext = () => {};
    const cancelThis = clock.after(50, () => {
      cancelNext = closeWhenIdle();
    });
    return () => {
      cancelThis();
      cancelNext();
    };
  }
}

function listen(server: Server, { port, host }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const problem = listenProblems[cause.code ?? '']?.(port, host);
      reject(problem === undefined ? cause : new ConfigError(problem, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

const listenProblems: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is taken by another program. Set PORT to a free one.`,
  EACCES: (port) => `Port ${port} needs rights that this process lacks. Set PORT to one over 1023.`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
};

function noSuchAddress(_port: number, host: string): string {
  return `HOST is ${host}, and this machine has no such address. Set it to 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its networks.`;
}

/** Checks at the start that all API keys of upstreams are set, rather than at the first request. */
function requireUpstreamKeys(config: Config, secret: ServiceOptions['secret']): void {
  for (const { place, upstream } of upstreamsOf(config)) {
    const { api_key_env: name, base_url: url } = upstream;
    if (!name || secret(name)) continue;
    throw new ConfigError(
      `${place}.api_key_env names ${name}, and that variable is not set. Set it to the key of ${url}.`,
    );
  }
}

interface Place {
  place: string;
  upstream: { api_key_env?: string | undefined; base_url: string };
}

function upstreamsOf(config: Config): Place[] {
  return [
    ...modelsOf(config).flatMap(({ place, model }) =>
      model.provider === 'openai-compatible' ? [{ place, upstream: model }] : [],
    ),
    ...Object.entries(config.compatible).flatMap(([name, { upstream }]) =>
      upstream ? [{ place: `compatible.${name}.upstream`, upstream }] : [],
    ),
  ];
}

function modelsOf({
  agents,
  models,
}: Config): { place: string; model: ModelConfig | ModelProvider }[] {
  const ofAgents = agents.flatMap(({ model, modes }, index) => [
    { place: `agents[${index}].model`, model },
    ...modes.flatMap((mode, modeIndex) =>
      mode.model
        ? [{ place: `agents[${index}].modes[${modeIndex}].model`, model: mode.model }]
        : [],
    ),
  ]);
  const ofCatalogue = models.flatMap(({ providers }, index) =>
    providers.map((model, position) => ({
      place: `models[${index}].providers[${position}]`,
      model,
    })),
  );
  return [...ofAgents, ...ofCatalogue];
}
