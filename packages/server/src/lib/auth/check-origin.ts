import type { Context } from 'hono';
import { matchesAny } from '../config/origin-pattern.ts';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';

type Site = Pick<Services, 'agents' | 'baseUrl'>;

/**
 * Which page sends this request: its `Origin`, or null where nothing tells.
 *
 * Browsers send no `Origin` with a GET to the page's own origin, as the hosted page does all the
 * time. `Sec-Fetch-Site: same-origin`, which no page can forge, says the same: the page is ours.
 */
export function originOf(c: Context<AppEnv>, site: Pick<Site, 'baseUrl'>): string | null {
  const origin = c.req.header('origin');
  if (origin !== undefined) return origin;
  return c.req.header('sec-fetch-site') === 'same-origin' ? ownOrigin(site) : null;
}

/** The origin of the platform itself, from which it serves the hosted page. */
export function ownOrigin({ baseUrl }: Pick<Site, 'baseUrl'>): string {
  return new URL(baseUrl).origin;
}

export function isKnownOrigin(origin: string, site: Site): boolean {
  return origin === ownOrigin(site) || site.agents.knowsOrigin(origin);
}

/** Refuses pages that no policy speaks of, in words that are the same whatever they ask for. */
export function requireKnownOrigin(c: Context<AppEnv>, site: Site): void {
  const origin = originOf(c, site);
  if (origin !== null && !isKnownOrigin(origin, site)) throw originDenied();
}

/**
 * Checks the page against a token's origins (design: on the real request, whatever CORS says).
 *
 * A browser cannot send a credential to another origin without its `Origin`. A request that names
 * none comes from the platform's own page (a GET over plain http), or from a program that is no
 * browser and could write any: refusing those would keep out honest clients and nobody else.
 */
export function checkOrigin(
  c: Context<AppEnv>,
  site: Site,
  token: { allowedOrigins: readonly string[]; exchanged: boolean },
): void {
  const origin = originOf(c, site);
  const listed =
    origin === null ? token.allowedOrigins.length > 0 : matchesAny(token.allowedOrigins, origin);
  // What an exchange made is for the hosted page, and so for the platform's own origin.
  const ownPage = origin === null || origin === ownOrigin(site);
  if (!listed && !(token.exchanged && ownPage)) throw originDenied();
}

/** Checks the page against a publishable key's origins. Only browsers have a use for such a key. */
export function checkKeyOrigin(
  c: Context<AppEnv>,
  site: Site,
  allowedOrigins: readonly string[],
): void {
  const origin = originOf(c, site);
  if (origin === null || !matchesAny(allowedOrigins, origin)) throw originDenied();
}

export function originDenied(): ApiError {
  return new ApiError(
    'EMBED_ORIGIN_NOT_ALLOWED',
    'Pages of this origin may not use this. Add the origin, exactly as the browser sends it, to `allowed_origins` of the agent’s embed policy.',
  );
}
