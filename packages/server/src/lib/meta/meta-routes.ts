import { Health } from '@inlay/protocol';
import * as z from 'zod';
import { type Route, route } from '../http/route.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { openApiDocument } from './open-api.ts';

const ApiDescription = z.looseObject({ openapi: z.string() }).meta({ id: 'ApiDescription' });

/**
 * Routes of the health check and the API description.
 *
 * @param loadRoutes Loads all routes, including the result of this function. Called at the first request.
 */
export function metaRoutes(
  services: Services,
  loadRoutes: () => Promise<readonly Route[]>,
): Route[] {
  const { store, worker, bus, version, baseUrl, hub } = services;
  let document: Record<string, unknown> | undefined;

  return [
    route(
      {
        method: 'get',
        path: '/meta/v1/health',
        audience: 'public',
        tag: 'Meta',
        summary: 'Check the health of the platform',
        description:
          'Not rate limited; only concurrent requests of one source address are limited. The store is checked every two seconds, in the background. 503 while it does not respond, and while this process is shutting down: send requests to another one. `degraded` while Redis does not respond: everything works, but events from other processes may arrive seconds later. `degraded` with `store: full` while the disk of the embedded store is full: conversations can be read, and requests that write get a 503.',
        response: Health,
        problems: ['SERVICE_UNAVAILABLE'],
      },
      async ({ c }) => {
        c.header('cache-control', 'no-store');
        hub.gate.requireOpen();
        if (!worker.isResponding) {
          throw new ApiError('SERVICE_UNAVAILABLE', 'The store does not respond.', {
            retryAfter: 5,
          });
        }
        const isFull = store.isFull();
        const isDegraded = isFull || bus.state === 'redis_down';
        return {
          status: isDegraded ? ('degraded' as const) : ('ok' as const),
          version,
          store: isFull ? ('full' as const) : ('ok' as const),
          bus: bus.state,
        };
      },
    ),

    route(
      {
        method: 'get',
        path: '/meta/v1/openapi.json',
        audience: 'public',
        tag: 'Meta',
        summary: 'Read this API description',
        response: ApiDescription,
      },
      async () => {
        document ??= openApiDocument(await loadRoutes(), { baseUrl, version });
        return { openapi: '3.1.0', ...document };
      },
    ),
  ];
}
