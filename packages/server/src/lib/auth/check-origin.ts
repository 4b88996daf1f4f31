import type { Context } from 'hono';
import { matchesAny } from '../config/origin-pattern.ts';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { FoundToken } from './find-token.ts';

type OriginServices = Pick<Services, 'agents' | 'baseUrl' | 'refusedOrigins'>;

/**
 * Returns the origin of the page that sent a request; null if unknown.
 *
 * With a same-origin GET, such as a request of the hosted page, browsers send no `Origin`. They send
 * `Sec-Fetch-Site: same-origin`, which a page cannot forge.
 */
function originOf(c: Context<AppEnv>, services: Pick<OriginServices, 'baseUrl'>): string | null {
  const origin = c.req.header('origin');
  if (origin !== undefined) return origin;
  return c.req.header('sec-fetch-site') === 'same-origin' ? ownOrigin(services) : null;
}

/** Returns the origin of the platform itself, which serves the hosted page. */
function ownOrigin({ baseUrl }: Pick<OriginServices, 'baseUrl'>): string {
  return new URL(baseUrl).origin;
}

export function isKnownOrigin(
  origin: string,
  services: Pick<OriginServices, 'agents' | 'baseUrl'>,
): boolean {
  return origin === ownOrigin(services) || services.agents.knowsOrigin(origin);
}

/**
 * Refuses requests from origins that no policy or publishable key allows, with the same message for
 * every path.
 *
 * @param onRefused Called with a refused origin.
 * @throws ApiError `EMBED_ORIGIN_NOT_ALLOWED`.
 */
export function requireKnownOrigin(
  c: Context<AppEnv>,
  services: OriginServices,
  onRefused: (origin: string) => void,
): void {
  const origin = originOf(c, services);
  if (origin === null || isKnownOrigin(origin, services)) return;
  onRefused(origin);
  throw originDenied();
}

/**
 * Checks the origin of a request against the allowed origins of its token. This is needed in addition
 * to CORS, which browsers enforce only when a page reads the response.
 *
 * A browser always sends `Origin` with a cross-origin request that has a credential. A request without
 * `Origin` was sent by the platform's own page (a GET over plain HTTP, where browsers send no
 * `Sec-Fetch-Site`), or by another program, which could send any origin: refusing it would only
 * affect honest clients.
 *
 * @throws ApiError `EMBED_ORIGIN_NOT_ALLOWED`.
 */
export function checkOrigin(
  c: Context<AppEnv>,
  services: OriginServices,
  token: Pick<FoundToken, 'caller' | 'allowedOrigins' | 'isExchanged'>,
): void {
  const origin = originOf(c, services);
  const isListed =
    origin === null ? token.allowedOrigins.length > 0 : matchesAny(token.allowedOrigins, origin);
  // A token from a code exchange is used on the hosted page, which has the platform's own origin.
  const isOwnPage = origin === null || origin === ownOrigin(services);
  if (isListed || (token.isExchanged && isOwnPage)) return;
  if (origin !== null) services.refusedOrigins.count(token.caller.agentId, origin);
  throw originDenied();
}

/**
 * Checks the origin of a request against the allowed origins of a publishable key. A request without
 * an origin is refused, because only browsers use publishable keys.
 *
 * @throws ApiError `EMBED_ORIGIN_NOT_ALLOWED`.
 */
export function checkKeyOrigin(
  c: Context<AppEnv>,
  services: OriginServices,
  { agentId, allowedOrigins }: { agentId: string; allowedOrigins: readonly string[] },
): void {
  const origin = originOf(c, services);
  if (origin !== null && matchesAny(allowedOrigins, origin)) return;
  if (origin !== null) services.refusedOrigins.count(agentId, origin);
  throw originDenied();
}

export function originDenied(): ApiError {
  return new ApiError(
    'EMBED_ORIGIN_NOT_ALLOWED',
    'Pages of this origin may not use this. Add the origin, exactly as the browser sends it, to `allowed_origins` of the agent’s embed policy.',
  );
}
