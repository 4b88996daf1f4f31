import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { AppEnv } from '../http/env.ts';
import { names } from './attributes.ts';
import { startRequestSpan } from './traces.ts';

/** Methods that the conventions name; requests with another one count as `_OTHER`. */
const methods = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));

/**
 * Middleware that records a span of each request, until the head of its response. The path, the query and
 * the client's address are not recorded, because they can identify people.
 *
 * @param scheme `http` or `https`, as in the public URL.
 */
export function traceRequests(scheme: string): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const method = methods.has(c.req.method) ? c.req.method : '_OTHER';
    const name = method === '_OTHER' ? 'HTTP' : method;
    const span = startRequestSpan(name, c.req.raw.headers, {
      [names.httpMethod]: method,
      [names.urlScheme]: scheme,
    });
    if (!span) return next();
    try {
      await span.within(next);
      const route = routePath(c, -1);
      const { status } = c.res;
      span.rename(`${name} ${route}`);
      span.set({ [names.httpRoute]: route, [names.httpStatus]: status });
      if (status >= 500) span.fail(c.get('problem')?.code ?? String(status));
    } finally {
      span.end();
    }
  };
}
