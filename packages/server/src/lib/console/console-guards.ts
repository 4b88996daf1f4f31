import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { setCaller, tenantOwner } from '../auth/authenticate.ts';
import type { BackendCaller } from '../auth/caller.ts';
import type { AppEnv } from '../http/env.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { hashesMatch } from '../random.ts';
import type { Services } from '../services.ts';
import { describedPath } from './console-url.ts';
import { changeToken, findSession, type SignedIn } from './operator-sessions.ts';

/** Prefix of the console's API. */
export const consoleApi = `${describedPath}/api`;
/** Path of the ways to sign in. */
export const waysPath = `${consoleApi}/sign_in`;
/** Path that sends the browser to the OpenID Connect provider. */
export const oidcPath = `${consoleApi}/oidc`;
/** Path that an OpenID Connect provider sends the browser to. */
export const callbackPath = `${consoleApi}/oidc/callback`;
/** Path of the sessions of operators, which works without one. */
export const sessionPath = `${consoleApi}/session`;
/** Paths that the page of the sign-in reads. */
export const signInPaths: readonly string[] = [sessionPath, waysPath, oidcPath];
/** Request header with the value of `changeToken`. */
export const changeHeader = 'x-console-token';

/** Requests of one operator: a page of the console sends several at the same time. */
const operatorLimits = { requests_per_second: 30, concurrent: 30 };

/** Name of the cookie. Browsers accept `__Host-` only over HTTPS. */
export function cookieName(services: Pick<Services, 'consoleUrl'>): string {
  return isSecure(services) ? '__Host-inlay-console' : 'inlay-console';
}

/** Whether the console is reached over HTTPS. */
export function isSecure({ consoleUrl }: Pick<Services, 'consoleUrl'>): boolean {
  return consoleUrl.startsWith('https:');
}

/**
 * Middleware that serves the console on its own port, if it has one, and nowhere else, and nothing else
 * there.
 */
export function separateConsole({ config }: Pick<Services, 'config'>): MiddlewareHandler<AppEnv> {
  return async function separateConsole(c, next) {
    const { path } = c.req;
    const isPage = path === describedPath || path.startsWith(`${describedPath}/`);
    const isFile = path.startsWith('/assets/') || path === '/favicon.ico';
    const isServed = c.env?.isConsole ? isPage || isFile : !isPage;
    if (config.console.port !== null && !isServed) throw notFound('There is nothing at this path.');
    await next();
  };
}

/**
 * Middleware that identifies the operator by the cookie. Credentials of the API are ignored, as the API
 * ignores the cookie.
 */
export function identifyOperator(services: Services): MiddlewareHandler<AppEnv> {
  return async function identifyOperator(c, next) {
    c.set('credential', getCookie(c, cookieName(services)) ? 'other' : 'none');
    await setCaller(c, async () => toCaller(await requireOperator(c, services)));
    await next();
  };
}

/** @throws ApiError `AUTHENTICATION_ERROR` without a session. */
export async function requireOperator(
  c: Context<AppEnv>,
  services: Services,
): Promise<SignedIn & { readonly secret: string }> {
  const secret = getCookie(c, cookieName(services));
  const operator = secret ? await findSession(services, secret) : null;
  // Also ends sessions that began with a password before the configuration was changed.
  const isOther = services.config.console.oidc?.required && operator?.subject === null;
  if (!secret || !operator || isOther)
    throw new ApiError('AUTHENTICATION_ERROR', 'Sign in to the console.');
  return { ...operator, secret };
}

function toCaller({ name, role }: SignedIn): BackendCaller {
  return {
    kind: 'backend',
    keyId: `operator:${name}`,
    name: `operator:${name}`,
    owner: tenantOwner,
    limits: operatorLimits,
    role,
  };
}

/**
 * Middleware that refuses requests of other sites, and changes without the token of the console's page
 * or by an operator without the role.
 */
export function guardChanges(services: Services): MiddlewareHandler<AppEnv> {
  return async function guardChange(c, next) {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (c.req.path !== callbackPath && !isFromConsole(c, isRead)) {
      throw new ApiError(
        'AUTHENTICATION_ERROR',
        'Only the pages of the console may send this request.',
      );
    }
    const isSession = c.req.path === sessionPath;
    const caller = c.get('caller');
    if (!isRead && caller?.kind === 'backend') {
      const secret = getCookie(c, cookieName(services)) ?? '';
      const token = c.req.header(changeHeader) ?? '';
      if (!isSession && !hashesMatch(token, changeToken(secret))) {
        throw new ApiError(
          'AUTHENTICATION_ERROR',
          `Send the \`token\` of \`GET ${sessionPath}\` as \`${changeHeader}\`.`,
        );
      }
      if (!isSession && c.req.path !== `${consoleApi}/password`) requireAdmin(caller);
    }
    await next();
  };
}

/** @throws ApiError `OPERATOR_ROLE_REQUIRED` for a viewer. */
export function requireAdmin({ role }: BackendCaller): void {
  if (role !== 'viewer') return;
  throw new ApiError(
    'OPERATOR_ROLE_REQUIRED',
    'Only an operator with the role `admin` may do this.',
  );
}

/**
 * Whether a page of the console sent the request. Browsers send `Sec-Fetch-Site` over HTTPS and to
 * localhost (Fetch Metadata Request Headers, section 2), and `Origin` with changes everywhere.
 */
function isFromConsole(c: Context<AppEnv>, isRead: boolean): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || (isRead && site === 'none');
  const origin = c.req.header('origin');
  if (origin === undefined) return isRead;
  return URL.canParse(origin) && new URL(origin).host === c.req.header('host');
}
