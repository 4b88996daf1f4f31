import { Hono } from 'hono';
import { except } from 'hono/combine';
import { agentRoutes } from './agents/agent-routes.ts';
import { publishableKeyRoutes } from './agents/publishable-key-routes.ts';
import { authenticate } from './auth/authenticate.ts';
import { embedConfigRoutes } from './embed-config/embed-config-routes.ts';
import { forgetMeRoutes } from './embed-config/forget-me-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { cors, readableByAll, refuseUnknownOrigins } from './http/cors.ts';
import { withDeprecations } from './http/deprecation.ts';
import type { AppEnv } from './http/env.ts';
import { markEndsAccess } from './http/mark-ends-access.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { refuseUnrouted, requestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { metaRoutes } from './meta/meta-routes.ts';
import { problemPages } from './meta/problem-pages.ts';
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
import { webFiles } from './web/web-files.ts';

/** The platform as a request handler. */
export interface App {
  fetch: Hono<AppEnv>['fetch'];
  /** Handles a request without a port, for tests. */
  request: Hono<AppEnv>['request'];
  /** Creates and logs the response for what is not a valid HTTP request, or too large. */
  refuse(error: ApiError): SerializedProblem;
  /** Descriptions of all routes. */
  routes: readonly Route[];
  /**
   * Rejects new streams and ends the open ones gradually, within `streams.drain_seconds` or until
   * `hurry` is aborted. Other requests are still handled.
   */
  drain(hurry: AbortSignal): Promise<void>;
  /** Stops the sweep, and closes the services. Does not close the store, which belongs to the caller. */
  close(): Promise<void>;
}

/**
 * Creates the request handler, and starts the hourly sweep. It does not listen: `startServer` passes
 * requests from a port.
 */
export function createApp(services: Services): App {
  const stopSweep = startSweep(services);
  const app = new Hono<AppEnv>();
  app.onError(handleError(services));
  app.notFound(() => {
    throw notFound('There is nothing at this path.');
  });

  app.use(requestLog(services));
  app.use(
    '/agent/*',
    markEndsAccess(() => routes),
  );
  app.use('/agent/*', cors(services), authenticate(services), limitRequests(services));
  app.use('/agent/*', refuseUnknownOrigins(services));
  app.use('/meta/*', readableByAll);
  app.use('/meta/*', except('/meta/v1/health', authenticate(services), limitRequests(services)));

  const described: Route[] = [
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
    ...metaRoutes(services, () => routes),
  ];
  const routes: readonly Route[] = withDeprecations(described, services.config.deprecations);
  mountRoutes(app, routes, services);
  app.route('/problems', problemPages());
  app.route('/', webFiles(services));

  return {
    fetch: app.fetch,
    request: app.request,
    refuse: refuseUnrouted(services),
    routes,
    drain: (hurry) => services.hub.drain(hurry),
    async close() {
      stopSweep();
      await services.close();
    },
  };
}
