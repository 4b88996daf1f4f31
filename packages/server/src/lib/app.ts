import { Hono } from 'hono';
import { except } from 'hono/combine';
import { agentRoutes as configuredAgentRoutes } from './agents/agent-routes.ts';
import { publishableKeyRoutes } from './agents/publishable-key-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { authenticate } from './auth/authenticate.ts';
import type { Config } from './config/config.ts';
import { consentRoutes } from './consents/consent-routes.ts';
import { consoleApi, separateConsole } from './console/console-guards.ts';
import { consoleService } from './console/console-service.ts';
import { createPathReader } from './console/console-url.ts';
import { claimRoutes } from './embed-config/claim-routes.ts';
import { embedConfigRoutes } from './embed-config/embed-config-routes.ts';
import { forgetMeRoutes } from './embed-config/forget-me-routes.ts';
import { erasureRoutes } from './erasure/erasure-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { applyRouteDescription } from './http/apply-route-description.ts';
import { allowEveryOrigin, cors, isPreflight, refuseUnknownOrigins } from './http/cors.ts';
import type { AppEnv } from './http/env.ts';
import { noStore } from './http/no-store.ts';
import { refuseUnrouted, requestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { mountServices, type PlatformService, refuseService } from './http/service.ts';
import { BodyLimiter } from './limits/body-limiter.ts';
import { limitPublicRequests, limitRequests } from './limits/limit-requests.ts';
import { describeError } from './log/logger.ts';
import { docsPage } from './meta/docs-page.ts';
import { metaRoutes } from './meta/meta-routes.ts';
import { problemPages } from './meta/problem-pages.ts';
import { metricsHandler, metricsPath } from './metrics/serve-metrics.ts';
import { modelRoutes } from './model-api/model-routes.ts';
import { type ApiError, notFound } from './problems/api-error.ts';
import { handleError } from './problems/handle-error.ts';
import type { SerializedProblem } from './problems/problem-response.ts';
import { startSweep } from './retention/sweep.ts';
import type { Services } from './services.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { streamCheckRoutes } from './stream/stream-check-routes.ts';
import { traceRequests } from './telemetry/trace-requests.ts';
import { anonymousPath, anonymousRoutes } from './tokens/anonymous-routes.ts';
import { endUserRoutes } from './tokens/end-user-routes.ts';
import { exchangeRoutes } from './tokens/exchange-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { familyOf } from './upstreams/families.ts';
import { familyServices } from './upstreams/family-services.ts';
import { usageRoutes } from './usage/usage-routes.ts';
import { webFiles } from './web/web-files.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

const healthPath = '/meta/v1/health';

/** The platform as a request handler. */
export interface App {
  fetch: Hono<AppEnv>['fetch'];
  /** Handles a request without a port, for tests. */
  request(input: string | Request, init?: RequestInit): Response | Promise<Response>;
  /** Creates and logs the response to an HTTP request that did not reach the router. */
  refuse(error: ApiError): SerializedProblem;
  /** The services with which the HTTP server limits its connections. */
  readonly server: Pick<Services, 'config' | 'clock' | 'log'>;
  /** Loads all routes, except those of the compatible prefixes. */
  routes(): Promise<readonly Route[]>;
  /**
   * Prepares for a stop. Takes no queued work, and waits for the work in progress; rejects new streams, and ends the open ones gradually, those of active runs after the runs. When
   * `signal` is aborted, ends the remaining streams immediately, and resolves. Other requests are still
   * handled.
   */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops the sweep and the background work, and closes the services. The caller closes the store. */
  close(): Promise<void>;
}

/** Milliseconds from the start until the background work of the optional services is resumed. */
const resumeDelay = 1_000;

/**
 * Creates the request handler, and starts the hourly sweep of old data. Does not listen on a port;
 * `startServer` does.
 *
 * @throws ConfigError if a deprecation of the configuration names a route that does not exist.
 */
export async function createApp(services: Services): Promise<App> {
  const { config, clock, log } = services;
  const handleErrors = handleError(services);
  const logRequests = requestLog(services);
  const limitPublic = limitPublicRequests(services);
  const bodies = new BodyLimiter(
    config.limits.process.body_bytes,
    'Too many requests with large bodies are under way. Try again soon.',
  );
  const getPath = createPathReader(config);
  const chatModel = familyOf(config.compatible, 'chat_model');
  const optionalPrefixes = ['/database', '/automation', '/media', chatModel.prefix];
  const isOptional = (path: string) =>
    optionalPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

  /** The deprecations of the optional services, or of all others. */
  const deprecationsOf = (kind: 'own' | 'optional') =>
    Object.fromEntries(
      Object.entries(config.deprecations).filter(
        // A name is a method and a path.
        ([name]) => isOptional(name.slice(name.indexOf('/'))) === (kind === 'optional'),
      ),
    );
  const optionalDeprecations = deprecationsOf('optional');

  /** Creates the router of the optional services, or of all others. They share the limits above. */
  const createRouter = (
    table: readonly PlatformService[],
    deprecations: Config['deprecations'],
    mountFirst: (app: Hono<AppEnv>) => void = () => {},
  ) => {
    const app = new Hono<AppEnv>({ getPath });
    app.onError(handleErrors);
    app.notFound((c) => {
      // OpenAI clients with the base URL `/model/v1` send requests that only the other prefix has.
      const hint = c.get('isModelRoute') ? ` Look for it under \`${chatModel.prefix}/v1\`.` : '';
      throw notFound(`There is nothing at this path.${hint}`);
    });
    app.use(traceRequests(new URL(services.baseUrl).protocol.slice(0, -1)));
    app.use(logRequests);
    app.use(separateConsole(services));
    app.use(applyRouteDescription(() => routes, clock));
    app.use(
      except(
        table.map(({ prefix }) => `${prefix}/*`),
        limitPublic,
      ),
    );
    mountFirst(app);
    const routes = mountServices(app, table, services, { deprecations, bodies });
    return { app, routes };
  };

  const guards = [noStore, authenticate(services), limitRequests(services)];
  const families = familyServices(services);
  const agentRoutes: readonly Route[] = [
    ...tokenRoutes(services),
    ...exchangeRoutes(services),
    ...anonymousRoutes(services),
    ...endUserRoutes(services),
    ...erasureRoutes(services),
    ...auditRoutes(services),
    ...configuredAgentRoutes(services),
    ...publishableKeyRoutes(services),
    ...embedConfigRoutes(services),
    ...forgetMeRoutes(services),
    ...claimRoutes(services),
    ...consentRoutes(services),
    ...streamCheckRoutes(services),
    ...sessionRoutes(services),
    ...eventRoutes(services),
    ...fileRoutes(services),
    ...usageRoutes(services),
    ...webhookRoutes(services),
  ];
  const consoleGuards = { before: [noStore, limitPublic], after: [limitRequests(services)] };
  const ownTable: readonly PlatformService[] = [
    ...(config.console.enabled ? [consoleService(services, agentRoutes, consoleGuards)] : []),
    {
      prefix: '/agent',
      guards: [
        except((c) => !isPreflight(c.req.raw), limitPublic),
        cors,
        ...guards,
        refuseUnknownOrigins(services, anonymousPath),
      ],
      routes: agentRoutes,
    },
    { prefix: '/model', guards, routes: modelRoutes(services) },
    { prefix: '/sandbox', guards, routes: [], fallback: refuseService('/sandbox') },
    { prefix: '/search', guards, routes: [], fallback: refuseService('/search') },
    {
      prefix: '/meta',
      guards: [
        allowEveryOrigin,
        except(healthPath, ...guards),
        except((c) => c.req.path !== healthPath, limitPublicRequests(services, { rate: false })),
      ],
      routes: metaRoutes(services, loadRoutes),
    },
    ...families,
  ];

  const own = createRouter(ownTable, deprecationsOf('own'), (app) => {
    // The documentation page is mounted before the services: it needs no API key and has its own headers.
    app.use('/meta/v1/docs/*', limitPublic);
    app.route('/meta/v1/docs', docsPage(services));
  });
  const { metrics, secret } = services;
  const { token_env: tokenName } = config.metrics;
  const metricsToken = tokenName === null ? undefined : secret(tokenName);
  if (metrics && metricsToken) own.app.get(metricsPath, metricsHandler(metrics, metricsToken));
  own.app.route('/problems', problemPages());
  own.app.route('/', webFiles(services));

  const createOptional = async () => {
    const { createOptionalServices } = await import('./optional-services.ts');
    const created = createOptionalServices(services, guards);
    return { ...created, ...createRouter(created.table, optionalDeprecations) };
  };
  let optional: ReturnType<typeof createOptional> | undefined;
  const loadOptional = () => {
    optional ??= createOptional();
    return optional;
  };
  /** Responses and vector stores may have work left from before the start. */
  const mayHaveWork =
    chatModel.upstream !== null ||
    config.models.some(({ supported_apis: apis }) =>
      apis.some((api) => api === 'responses' || api === 'embeddings'),
    );
  const cancelResume = mayHaveWork
    ? clock.after(resumeDelay, () => {
        loadOptional().catch((error: unknown) =>
          log.error('background work not resumed', describeError(error)),
        );
      })
    : () => {};
  // Finds deprecations of routes that do not exist.
  if (Object.keys(optionalDeprecations).length > 0) await loadOptional();
  const stopSweep = startSweep(services, async () => (await loadOptional()).sweepSteps);

  // The API description leaves out the compatible prefixes, whose bodies the official APIs define, and the
  // console, whose routes it describes for API keys.
  const leftOut = [...[chatModel, ...families].map(({ prefix }) => prefix), consoleApi];
  async function loadRoutes(): Promise<readonly Route[]> {
    return [...own.routes, ...(await loadOptional()).routes].filter(
      ({ description }) => !leftOut.some((prefix) => description.path.startsWith(`${prefix}/`)),
    );
  }

  const handle: App['fetch'] = (request, env, context) =>
    isOptional(getPath(request))
      ? loadOptional().then(({ app }) => app.fetch(request, env, context))
      : own.app.fetch(request, env, context);

  return {
    fetch: handle,
    request: (input, init) =>
      handle(
        new Request(typeof input === 'string' ? new URL(input, services.baseUrl) : input, init),
      ),
    refuse: refuseUnrouted(services),
    server: services,
    routes: loadRoutes,
    async drain(signal) {
      const { engine, hub, webhooks, worker } = services;
      worker.leaveQueuedWork();
      const work = Promise.all([
        engine.settled(signal),
        webhooks.settled(signal),
        optional?.then((loaded) => loaded.settled(signal)),
      ]);
      await hub.drain(signal, (sessionId) => !engine.isActive(sessionId));
      await work;
      await hub.drain(signal);
    },
    async close() {
      await stopSweep();
      cancelResume();
      await optional?.then((loaded) => loaded.close());
      await services.close();
    },
  };
}
