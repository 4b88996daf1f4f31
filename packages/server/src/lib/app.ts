import { Hono } from 'hono';
import { except } from 'hono/combine';
import { agentRoutes } from './agents/agent-routes.ts';
import { publishableKeyRoutes } from './agents/publishable-key-routes.ts';
import { authenticate } from './auth/authenticate.ts';
import { actionRoutes } from './automation/action-routes.ts';
import { orchestrationRoutes } from './automation/orchestration-routes.ts';
import { databaseRoutes } from './databases/database-routes.ts';
import { embedConfigRoutes } from './embed-config/embed-config-routes.ts';
import { forgetMeRoutes } from './embed-config/forget-me-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { applyRouteDescription } from './http/apply-route-description.ts';
import { allowEveryOrigin, cors, isPreflight, refuseUnknownOrigins } from './http/cors.ts';
import type { AppEnv } from './http/env.ts';
import { noStore } from './http/no-store.ts';
import { refuseUnrouted, requestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { mountServices, type PlatformService, refuseService } from './http/service.ts';
import { limitPublicRequests, limitRequests } from './limits/limit-requests.ts';
import { libraryRoutes } from './media/library-routes.ts';
import { docsPage } from './meta/docs-page.ts';
import { metaRoutes } from './meta/meta-routes.ts';
import { problemPages } from './meta/problem-pages.ts';
import { modelRoutes } from './model-api/model-routes.ts';
import { createChatModel } from './openai-api/chat-model.ts';
import { type ApiError, notFound } from './problems/api-error.ts';
import { handleError } from './problems/handle-error.ts';
import type { SerializedProblem } from './problems/problem-response.ts';
import { startSweep } from './retention/sweep.ts';
import type { Services } from './services.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { streamCheckRoutes } from './stream/stream-check-routes.ts';
import { anonymousRoutes } from './tokens/anonymous-routes.ts';
import { endUserRoutes } from './tokens/end-user-routes.ts';
import { exchangeRoutes } from './tokens/exchange-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { familyServices } from './upstreams/family-services.ts';
import { webFiles } from './web/web-files.ts';

const healthPath = '/meta/v1/health';

/** The platform as a request handler. */
export interface App {
  fetch: Hono<AppEnv>['fetch'];
  /** Handles a request without a port, for tests. */
  request: Hono<AppEnv>['request'];
  /** Creates and logs the response to an HTTP request that did not reach the router. */
  refuse(error: ApiError): SerializedProblem;
  /** The services with which the HTTP server limits its connections. */
  readonly server: Pick<Services, 'config' | 'clock' | 'log'>;
  /** All routes, except those of the compatible prefixes. */
  routes: readonly Route[];
  /**
   * Prepares for a stop. Starts no runs and background responses, and waits for those in progress;
   * rejects new streams, and ends the open ones gradually, those of active runs after the runs. When
   * `signal` is aborted, ends the remaining streams immediately, and resolves. Other requests are still
   * handled.
   */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops the sweep and the background work, and closes the services. The caller closes the store. */
  close(): Promise<void>;
}

/**
 * Creates the request handler, and starts the hourly sweep of old data and the background responses. Does not listen on a port;
 * `startServer` does.
 */
export function createApp(services: Services): App {
  const chatModel = createChatModel(services);
  const stopSweep = startSweep(services, chatModel);
  const app = new Hono<AppEnv>();
  app.onError(handleError(services));
  app.notFound((c) => {
    const { prefix } = services.config.compatible.chat_model;
    // OpenAI clients with the base URL `/model/v1` send requests that only the other prefix has.
    const hint = c.get('isModelRoute') ? ` Look for it under \`${prefix}/v1\`.` : '';
    throw notFound(`There is nothing at this path.${hint}`);
  });

  app.use(requestLog(services));
  app.use(applyRouteDescription(() => allRoutes, services.clock));

  const guards = [noStore, authenticate(services), limitRequests(services)];
  const limitPublic = limitPublicRequests(services);
  const table: readonly PlatformService[] = [
    {
      prefix: '/agent',
      guards: [
        except((c) => !isPreflight(c.req.raw), limitPublic),
        cors,
        ...guards,
        refuseUnknownOrigins(services),
      ],
      routes: [
        ...tokenRoutes(services),
        ...exchangeRoutes(services),
        ...anonymousRoutes(services),
        ...endUserRoutes(services),
        ...agentRoutes(services),
        ...publishableKeyRoutes(services),
        ...embedConfigRoutes(services),
        ...forgetMeRoutes(services),
        ...streamCheckRoutes(services),
        ...sessionRoutes(services),
        ...eventRoutes(services),
        ...fileRoutes(services),
      ],
    },
    { prefix: '/model', guards, routes: modelRoutes(services) },
    {
      prefix: '/database',
      guards,
      invalidCode: 'INVALID_PARAMS',
      routes: databaseRoutes(services),
    },
    {
      prefix: '/automation',
      guards,
      invalidCode: 'INVALID_PARAMS',
      routes: [
        ...actionRoutes(services),
        ...orchestrationRoutes(services, 'script'),
        ...orchestrationRoutes(services, 'workflow'),
      ],
    },
    { prefix: '/media', guards, invalidCode: 'INVALID_PARAMS', routes: libraryRoutes(services) },
    { prefix: '/sandbox', guards, routes: [], fallback: refuseService('/sandbox') },
    { prefix: '/search', guards, routes: [], fallback: refuseService('/search') },
    {
      prefix: '/meta',
      guards: [
        allowEveryOrigin,
        except(healthPath, ...guards),
        except((c) => c.req.path !== healthPath, limitPublicRequests(services, { rate: false })),
      ],
      routes: metaRoutes(services, () => routes),
    },
  ];
  const families = familyServices(services, chatModel);
  const platformServices = [...table, ...families];
  app.use(
    except(
      platformServices.map(({ prefix }) => `${prefix}/*`),
      limitPublic,
    ),
  );
  // The documentation page is mounted before the services: it needs no API key and has its own headers.
  app.use('/meta/v1/docs/*', limitPublic);
  app.route('/meta/v1/docs', docsPage(services));
  const allRoutes = mountServices(app, platformServices, services);
  // The API description leaves out the compatible prefixes: the official APIs define their bodies.
  const prefixes = families.map(({ prefix }) => `${prefix}/`);
  const routes = allRoutes.filter(
    ({ description }) => !prefixes.some((prefix) => description.path.startsWith(prefix)),
  );
  app.route('/problems', problemPages());
  app.route('/', webFiles(services));

  return {
    fetch: app.fetch,
    request: app.request,
    refuse: refuseUnrouted(services),
    server: services,
    routes,
    async drain(signal) {
      const { engine, hub } = services;
      const work = Promise.all([engine.drain(signal), chatModel.background.drain(signal)]);
      await hub.drain(signal, (sessionId) => !engine.isActive(sessionId));
      await work;
      await hub.drain(signal);
    },
    async close() {
      stopSweep();
      await chatModel.background.close();
      await chatModel.vectorStoreWork.close();
      await services.close();
    },
  };
}
