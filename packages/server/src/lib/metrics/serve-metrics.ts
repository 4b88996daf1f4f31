import { createServer, type Server } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashesMatch, hashSecret } from '../random.ts';
import type { Metrics } from './metrics.ts';

export const metricsPath = '/metrics';

/**
 * Creates an HTTP server for `GET /metrics` alone, without a credential: its port must not be reachable
 * from the internet.
 */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== metricsPath) {
      response.writeHead(404).end();
      return;
    }
    void metrics.read(request.headers.accept).then(
      ({ text, contentType }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}

/** Handler of `GET /metrics` on the port of the platform, for requests with the bearer token `token`. */
export function metricsHandler(metrics: Metrics, token: string): MiddlewareHandler<AppEnv> {
  const expected = hashSecret(token);
  return async (c) => {
    const [, credential = ''] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!hashesMatch(hashSecret(credential), expected)) {
      throw new ApiError(
        'AUTHENTICATION_ERROR',
        'Send the token of `metrics.token_env` as a bearer token.',
      );
    }
    const { text, contentType } = await metrics.read(c.req.header('accept'));
    return c.body(text, 200, { 'content-type': contentType, 'cache-control': 'no-store' });
  };
}
