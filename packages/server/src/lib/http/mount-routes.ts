import type { Context, Hono } from 'hono';
import { auditRequest, isAudited } from '../audit/audit-request.ts';
import { requireCredential } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { exactBody, stringifyExact } from '../exact-json.ts';
import { type BodyLimiter, bodyOwners } from '../limits/body-limiter.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { credentialExample } from '../upstreams/families.ts';
import { isAfterSunset } from './deprecation.ts';
import type { AppEnv } from './env.ts';
import { otherMethods } from './other-methods.ts';
import { discardBody, hasBody, type JsonBody, readJson, withBodyTimeout } from './read-body.ts';
import { readQuery } from './read-query.ts';
import type { Audience, Route, RouteDescription } from './route.ts';
import { validate } from './validate.ts';

type Handler = (c: Context<AppEnv>) => Promise<Response>;

/**
 * Adds routes to the router. For each request, the route checks the caller, reads and validates the
 * input, and serializes the result.
 */
export function mountRoutes(
  app: Hono<AppEnv>,
  routes: readonly Route[],
  services: Services,
  bodies: BodyLimiter,
): void {
  const { limits, trusted_proxies } = services.config;
  for (const { description, handle } of routes) {
    const perform = async (c: Context<AppEnv>) => {
      if (description.deprecated && isAfterSunset(description.deprecated, services.clock.now())) {
        throw notFound('This route has ended. See the changelog.');
      }
      const caller = requireAudience(c, description.audience);
      const values = description.query && readQuery(c.req.url, description.queryObjects);
      const backendQuery =
        caller?.kind === 'backend' && description.backendQuery
          ? validate(description.backendQuery, values, '/query')
          : undefined;
      const query = description.query && validate(description.query, values, '/query');
      const recheck = async () => {
        if (caller) await requireCredential(c);
      };
      const json = description.accepts ? undefined : await readBody(c, description, services);
      // The credential may have ended while the body was being received.
      if (hasBody(c.req.raw) && !description.accepts) await recheck();
      const validated = description.body && validate(description.body, json?.value);
      const body = description.exactBody ? exactBody(json?.bytes, validated) : validated;
      const param = (name: string) => c.req.param(name) ?? '';
      const call = { c, caller: caller as never, query, backendQuery, body, param, recheck };
      const result =
        caller?.kind === 'backend' && isAudited(description)
          ? await auditRequest(services, c, caller, description, () => handle(call))
          : await handle(call);
      if (result instanceof Response) return result;
      return c.body(stringifyExact(result), 200, { 'content-type': 'application/json' });
    };
    app.on(
      description.method,
      description.path,
      withInvalidCode(description, async (c) => {
        // The memory limit does not apply to routes that end access, such as revocations, which must
        // always work. Routes with `accepts` limit their bodies themselves.
        if (!hasBody(c.req.raw) || description.accepts || c.get('endsAccess')) return perform(c);
        const counted = bodies.open(bodyOwners(c, trusted_proxies));
        try {
          const limit = limits.request[description.bodyLimit ?? 'json_bytes'];
          counted.take(maximumBytes(c.req.raw, limit));
          return await perform(c);
        } finally {
          counted.release();
        }
      }),
    );
  }
  refuseOtherMethods(app, routes);
}

/** Replaces `VALIDATION_ERROR` with the service's own code for invalid input, if it has one. */
function withInvalidCode({ invalidCode }: RouteDescription, handle: Handler): Handler {
  if (!invalidCode) return handle;
  return async (c) => {
    try {
      return await handle(c);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
      throw new ApiError(invalidCode, error.message, error.extras);
    }
  };
}

/** Returns how many bytes of a body are read at most: its `Content-Length` or the limit. */
function maximumBytes({ headers }: Request, limit: number): number {
  const announced = headers.get('content-length');
  return announced === null ? limit : Math.min(Number(announced), limit);
}

/**
 * Reads the JSON body of a route; discards the body of a route that takes none.
 *
 * @throws ApiError `REQUEST_TIMEOUT` if the body arrives too slowly.
 */
async function readBody(
  c: Context<AppEnv>,
  description: RouteDescription,
  { clock, config }: Services,
): Promise<JsonBody | undefined> {
  const { request: limits } = config.limits;
  const { json_items, body_seconds: seconds } = limits;
  // Bodies for models have many values, such as 300,000 tokens of embeddings. Their bytes bound them.
  const isForModel = description.bodyLimit === 'model_json_bytes';
  const items = isForModel ? Number.POSITIVE_INFINITY : json_items;
  const bytes = limits[description.bodyLimit ?? 'json_bytes'];
  const read = description.body ? readJson : discardBody;
  return withBodyTimeout(clock, seconds, read(c.req.raw, { bytes, items }));
}

/**
 * Checks that the audience of a route includes the caller.
 *
 * @returns The caller; null for a public route, and without a credential if it is optional.
 * @throws ApiError `AUTHENTICATION_ERROR`; `NOT_FOUND` for an embed token on a route for backends.
 */
export function requireAudience(c: Context<AppEnv>, audience: Audience): Caller | null {
  if (audience === 'public') return null;
  if (audience !== 'any' && audience !== 'end_user' && c.get('credential') === 'embed_token')
    throw notFound();
  const caller = c.get('caller');
  const requiredKind = audience === 'optional' ? 'backend' : audience;
  if (caller && (requiredKind === 'any' || caller.kind === requiredKind)) return caller;
  const authError = c.get('authError');
  if (authError) throw authError;
  if (audience === 'optional') return null;
  throw new ApiError('AUTHENTICATION_ERROR', describeCredential(c, audience));
}

function describeCredential(c: Context<AppEnv>, audience: Audience): string {
  switch (audience) {
    case 'end_user':
      return 'Send an embed token as `Authorization: Bearer <token>`. An API key cannot act for an end user.';
    case 'any':
      return 'Send an embed token or an API key as `Authorization: Bearer <credential>`.';
    default:
      return `Send an API key as \`${credentialExample(c.get('family'))}\`.`;
  }
}

function refuseOtherMethods(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const path of new Set(routes.map(({ description }) => description.path))) {
    const routesOfPath = routes.filter(({ description }) => description.path === path);
    const methods = routesOfPath.map(({ description }) => description.method.toUpperCase());
    const isBackendOnly = routesOfPath.every(
      ({ description }) => description.audience === 'backend',
    );
    const respond = otherMethods(methods);
    app.all(path, (c, next) => {
      if (isBackendOnly && c.get('credential') === 'embed_token') throw notFound();
      return respond(c, next);
    });
  }
}
