import type { Server } from 'node:http';
import { type App, createApp } from './app.ts';
import { createFirstApiKey, hashEnvironmentKey } from './auth/api-keys.ts';
import type { Config } from './config/config.ts';
import type { ModelConfig } from './config/model.ts';
import type { ModelProvider } from './config/models.ts';
import { ConfigError } from './config/parse-config.ts';
import type { Settings } from './config/settings.ts';
import { consoleUrlFrom } from './console/console-url.ts';
import { consoleLink, createFirstOperator } from './console/operators.ts';
import { minimumPasswordLength } from './console/passwords.ts';
import { adminSecretName } from './console/sign-in.ts';
import { prepareDrain } from './http/drain-server.ts';
import { createHttpServer } from './http/http-server.ts';
import { describeError } from './log/logger.ts';
import { createMetricsServer, metricsPath } from './metrics/serve-metrics.ts';
import type { ServiceOptions } from './service-options.ts';
import { type BackingServices, createServices, openBackingServices } from './services.ts';

/** Milliseconds for open requests to finish after `streams.drain_seconds`, or an immediate stop. */
const graceMs = { graceful: 5000, immediate: 500 };

export interface StartOptions
  extends Pick<
    ServiceOptions,
    'config' | 'clock' | 'random' | 'log' | 'secret' | 'webDirectory' | 'version'
  > {
  readonly settings: Settings;
}

export type ShutdownMode = 'graceful' | 'immediate';

export interface RunningServer {
  app: App;
  /** Public URL, without a trailing slash. */
  baseUrl: string;
  /** The address and the public URL, as text for the operator. */
  displayAddress: string;
  /** An API key that was created at this start, to be shown once. */
  newApiKey: string | null;
  /** Address of the console, with a link that signs the first operator in once; null without a console. */
  consoleAddress: string | null;
  /**
   * Stops the server: ends streams, stops accepting connections, writes pending data. Idempotent.
   *
   * @param mode `graceful` ends streams gradually, and handles requests in the meantime; `immediate`
   *   ends all streams immediately, even during a graceful stop.
   * @default mode 'graceful'
   */
  stop(mode?: ShutdownMode): Promise<void>;
}

/**
 * Opens the backing services that the settings name, listens on the port, and handles requests.
 *
 * @throws ConfigError If the settings or the configuration cannot be used, for example because the
 *   port is in use, or the environment variable of an API key is not set.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  requireSecrets(options.config, options.secret);
  const backingServices = await openBackingServices(options);
  const cleanups: (() => unknown)[] = [() => backingServices.close()];
  try {
    return await startWithBackingServices(backingServices, cleanups, options);
  } catch (error) {
    for (const step of cleanups.reverse()) await step();
    throw error;
  }
}

/** @param cleanups Collects cleanup functions, to be called in reverse order if a later step fails. */
async function startWithBackingServices(
  backingServices: BackingServices,
  cleanups: (() => unknown)[],
  options: StartOptions,
): Promise<RunningServer> {
  const { settings, config, clock, log } = options;
  const apiKeyHashes = settings.apiKey ? [hashEnvironmentKey(settings.apiKey)] : [];
  // The public URL may depend on the port, so the app is created after the server listens. Requests
  // wait until the app is ready.
  let started: (app: App) => void = () => {};
  const ready = new Promise<App>((resolve) => {
    started = resolve;
  });
  const { port: metricsPort, token_env: tokenName } = config.metrics;
  // Loaded on demand, so that a process without metrics starts faster and uses less memory.
  const metrics =
    metricsPort === null && tokenName === null
      ? undefined
      : (await import('./metrics/metrics.ts')).createMetrics();
  const metricsServer = metrics && metricsPort !== null ? createMetricsServer(metrics) : null;
  const open = (each: Server, port: number, name?: string) => {
    cleanups.push(
      () => each.close(),
      () => each.closeAllConnections(),
    );
    return listen(each, { ...settings, port }, name);
  };
  if (metricsServer) {
    const port = await open(metricsServer, metricsPort ?? 0, 'metrics.port');
    log.info('metrics are served', { port, path: metricsPath });
  }
  const server = createHttpServer(ready);
  const { enabled: hasConsole, port: consolePort } = config.console;
  const consoleServer =
    hasConsole && consolePort !== null ? createHttpServer(ready, { isConsole: true }) : null;
  const servers = consoleServer ? [server, consoleServer] : [server];
  const drains = servers.map((each) => prepareDrain(each, clock));
  const port = await open(server, settings.port);
  const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
  const consoleUrl = consoleUrlFrom(config, {
    baseUrl,
    port: consoleServer && (await open(consoleServer, consolePort ?? 0, 'console.port')),
  });
  const services = await createServices({
    ...options,
    ...backingServices,
    baseUrl,
    consoleUrl,
    apiKeyHashes,
    metrics,
    webDirectory: config.web_directory ?? options.webDirectory,
  });
  cleanups.push(() => services.close());
  const app = await createApp(services);
  // Last, because a new key is shown only once: it would be lost if a later step failed.
  const newApiKey = settings.apiKey
    ? null
    : await createFirstApiKey({ ...options, ...backingServices });
  const consoleAddress = await findConsoleAddress({ ...options, ...backingServices, consoleUrl });
  started(app);

  const immediate = new AbortController();
  let stopping: Promise<void> | undefined;
  return {
    app,
    baseUrl,
    displayAddress:
      settings.baseUrl === null ? baseUrl : `${settings.host}:${port}, for ${settings.baseUrl}`,
    newApiKey,
    consoleAddress,
    stop: (mode = 'graceful') => {
      if (mode === 'immediate') immediate.abort();
      stopping ??= stop();
      return stopping;
    },
  };

  async function stop(): Promise<void> {
    // Requests on kept-alive connections are still handled.
    for (const drain of drains) drain.announce();
    const drainMs = config.streams.drain_seconds * 1000;
    const drainUntil = clock.now() + drainMs;
    const deadline = new AbortController();
    const cancelDeadline = clock.after(drainMs, () => deadline.abort());
    await app.drain(AbortSignal.any([immediate.signal, deadline.signal]));
    cancelDeadline();
    const closed = Promise.all(drains.map((drain) => drain.finish()));
    const closeAll = () => {
      for (const each of servers) each.closeAllConnections();
    };
    // Requests in progress, such as streamed completions, have as much time as the runs.
    const timeLeft = Math.max(drainUntil - clock.now(), 0);
    let cancel = clock.after(timeLeft + graceMs.graceful, closeAll);
    const closeSoon = () => {
      cancel();
      cancel = clock.after(graceMs.immediate, closeAll);
    };
    if (immediate.signal.aborted) closeSoon();
    else immediate.signal.addEventListener('abort', closeSoon, { once: true });
    await closed;
    cancel();
    // After the requests, because they use the services: a completion settles what it reserved.
    await app.close().catch((error) => log.error('stopping failed', describeError(error)));
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await backingServices.close();
  }
}

/**
 * The link contains a credential, so it is only shown where the API key is shown, too, and until an
 * operator has a password.
 */
async function findConsoleAddress({
  consoleUrl,
  ...options
}: StartOptions & BackingServices & { consoleUrl: string }): Promise<string | null> {
  if (!options.config.console.enabled) return null;
  const mayShowLink =
    !options.settings.apiKey &&
    !options.secret(adminSecretName) &&
    !options.config.console.oidc?.required;
  const link = mayShowLink ? await createFirstOperator(options) : null;
  return link === null ? `${consoleUrl}/` : consoleLink(consoleUrl, link);
}

/** @param name The setting of the port, for error messages. */
function listen(server: Server, { port, host }: Settings, name = 'PORT'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const problem = listenProblems[cause.code ?? '']?.({ port, host, name });
      reject(problem === undefined ? cause : new ConfigError(problem, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

const listenProblems: Record<
  string,
  (address: { port: number; host: string; name: string }) => string
> = {
  EADDRINUSE: ({ port, name }) =>
    `Port ${port} is taken by another program. Set ${name} to a free one.`,
  EACCES: ({ port, name }) =>
    `Port ${port} needs rights that this process lacks. Set ${name} to one over 1023.`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
};

function noSuchAddress({ host }: { host: string }): string {
  return `HOST is ${host}, and this machine has no such address. Set it to 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its networks.`;
}

/**
 * Checks that the environment variables with secrets are set, so that the start fails
 * instead of the first request.
 */
function requireSecrets(config: Config, secret: ServiceOptions['secret']): void {
  for (const { path, upstream } of upstreamsOf(config)) {
    const { api_key_env: name, base_url: url } = upstream;
    if (!name || secret(name)) continue;
    throw new ConfigError(
      `${path}.api_key_env names ${name}, and that variable is not set. Set it to the key of ${url}.`,
    );
  }
  const adminSecret = secret(adminSecretName);
  if (adminSecret && adminSecret.length < minimumPasswordLength) {
    throw new ConfigError(
      `${adminSecretName} must have at least ${minimumPasswordLength} characters. Unset it to sign in to the console with a link.`,
    );
  }
  const { token_env: tokenName } = config.metrics;
  if (tokenName !== null && !secret(tokenName)) {
    throw new ConfigError(
      `metrics.token_env names ${tokenName}, and that variable is not set. Set it to the token that Prometheus sends.`,
    );
  }
  const { client_secret_env: clientSecret, issuer } = config.console.oidc ?? {};
  if (clientSecret && !secret(clientSecret)) {
    throw new ConfigError(
      `console.oidc.client_secret_env names ${clientSecret}, and that variable is not set. Set it to the client's secret at ${issuer}.`,
    );
  }
  const { secret_env: name, verify_url: url } = config.visitor_challenge ?? {};
  if (name === undefined || secret(name)) return;
  throw new ConfigError(
    `visitor_challenge.secret_env names ${name}, and that variable is not set. Set it to the secret of ${url}.`,
  );
}

interface ConfiguredUpstream {
  /** Path in the configuration, for error messages. */
  path: string;
  upstream: { api_key_env?: string | undefined; base_url: string };
}

function upstreamsOf(config: Config): ConfiguredUpstream[] {
  return [
    ...modelsOf(config).flatMap(({ path, model }) =>
      model.provider === 'openai-compatible' ? [{ path, upstream: model }] : [],
    ),
    ...Object.entries(config.compatible).flatMap(([name, { upstream }]) =>
      upstream ? [{ path: `compatible.${name}.upstream`, upstream }] : [],
    ),
  ];
}

function modelsOf({
  agents,
  models,
}: Config): { path: string; model: ModelConfig | ModelProvider }[] {
  const ofAgents = agents.flatMap(({ model, modes }, index) => [
    { path: `agents[${index}].model`, model },
    ...modes.flatMap((mode, modeIndex) =>
      mode.model ? [{ path: `agents[${index}].modes[${modeIndex}].model`, model: mode.model }] : [],
    ),
  ]);
  const ofCatalogue = models.flatMap(({ providers }, index) =>
    providers.map((model, position) => ({
      path: `models[${index}].providers[${position}]`,
      model,
    })),
  );
  return [...ofAgents, ...ofCatalogue];
}
