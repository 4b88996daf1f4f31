import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import * as z from 'zod';
import type { AppEnv } from '../http/env.ts';
import { type Route, route } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import { describeError } from '../log/logger.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import {
  callbackPath,
  consoleApi,
  cookieName,
  isSecure,
  oidcPath,
  requireOperator,
  sessionPath,
  waysPath,
} from './console-guards.ts';
import { OidcError, OidcSignIn } from './oidc.ts';
import {
  changeToken,
  createSession,
  endSession,
  type SignedIn,
  sessionLifetime,
} from './operator-sessions.ts';
import { endSessions, type OperatorRow, setPassword, useLink } from './operators.ts';
import { isPassword, minimumPasswordLength } from './passwords.ts';
import { countAttempt, isAdminSecretOf, signIn } from './sign-in.ts';

const SignInRequest = z.union([
  z.strictObject({ name: z.string().min(1).max(100), password: z.string().min(1).max(1024) }),
  z.strictObject({ link: z.string().min(1).max(200) }),
]);

const PasswordRequest = z.strictObject({
  /** The present password, unless there is none. */
  current: z.string().max(1024).optional(),
  password: z
    .string()
    .min(minimumPasswordLength, `must have at least ${minimumPasswordLength} characters`)
    .max(1024),
});

/** Seconds in which an operator can sign in at the provider. */
const attemptLifetime = 600;

/** Routes with which operators sign in and out. They are not part of the API for backends. */
export function sessionRoutes(services: Services): Route[] {
  const { store } = services;
  const shared = { audience: 'public', tag: 'Console', response: null } as const;
  const cookieOptions: CookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(services),
  };

  const { oidc: options } = services.config.console;
  const oidc = options && new OidcSignIn(services, options);
  const hasAccount = ({ subject }: SignedIn) => oidc !== null && subject !== null;
  const describe = (operator: SignedIn, secret: string) => ({
    operator: {
      name: operator.name,
      role: operator.role,
      has_password: operator.password_hash !== null || isAdminSecretOf(services, operator.name),
      has_account: hasAccount(operator),
    },
    token: changeToken(secret),
    base_url: services.baseUrl,
  });
  const startSession = async (c: Context<AppEnv>, operator: SignedIn) => {
    const secret = await createSession(services, operator);
    const maxAge = sessionLifetime / 1000;
    setCookie(c, cookieName(services), secret, { ...cookieOptions, maxAge });
    return describe(operator, secret);
  };

  return [
    ...(oidc ? oidcRoutes(services, oidc, cookieOptions, startSession) : []),
    route(
      {
        ...shared,
        method: 'get',
        path: waysPath,
        summary: 'List the ways to sign in',
      },
      async () => ({ passwords: !options?.required, oidc: options && { label: options.label } }),
    ),

    route(
      { ...shared, method: 'get', path: sessionPath, summary: 'Read the session of the operator' },
      async ({ c }) => {
        const operator = await requireOperator(c, services);
        return describe(operator, operator.secret);
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: sessionPath,
        summary: 'Sign in',
        body: SignInRequest,
      },
      async ({ c, body }) => {
        if (options?.required) {
          throw new ApiError('AUTHENTICATION_ERROR', `Sign in with ${options.label}.`);
        }
        if ('password' in body) {
          const source = sourceOf(c, services.config.trusted_proxies);
          return startSession(c, await signIn(services, body, source));
        }
        const operator = await useLink(services, body.link);
        if (operator) return startSession(c, operator);
        throw invalidField(
          '/link',
          'was used already or has expired; `inlay-server operators link <name>` creates another one',
        );
      },
    ),

    route(
      { ...shared, method: 'delete', path: sessionPath, summary: 'Sign out' },
      async ({ c }) => {
        const secret = deleteCookie(c, cookieName(services), cookieOptions);
        if (secret) await endSession(services, secret);
        return {};
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${consoleApi}/password`,
        summary: 'Set the password of the operator',
        body: PasswordRequest,
      },
      async ({ c, body }) => {
        const operator = await requireOperator(c, services);
        const source = sourceOf(c, services.config.trusted_proxies);
        await countAttempt(services, 'password', operator.name, source);
        // A password would outlive the account.
        if (hasAccount(operator)) {
          throw invalidField(
            '/password',
            `cannot be set, because you sign in with ${options?.label}`,
          );
        }
        const { password_hash: hash } = operator;
        if (hash !== null && !(await isPassword(body.current ?? '', hash))) {
          throw invalidField('/current', 'is not the present password');
        }
        await setPassword(services, store.db, operator.id, body.password);
        // Also ends sessions that another person started with the old password or the link.
        await endSessions(store.db, operator);
        return startSession(c, { ...operator, password_hash: '' });
      },
    ),
  ];
}

/** Routes to and from the OpenID Connect provider, which browsers navigate to. */
function oidcRoutes(
  services: Services,
  oidc: OidcSignIn,
  cookieOptions: CookieOptions,
  startSession: (c: Context<AppEnv>, operator: OperatorRow) => Promise<unknown>,
): Route[] {
  const shared = { method: 'get', audience: 'public', tag: 'Console', response: null } as const;
  const attemptCookie = `${cookieName(services)}-sign-in`;
  // The provider sends the browser back from another site, without cookies that are `Strict`.
  const attemptOptions: CookieOptions = { ...cookieOptions, sameSite: 'Lax' };
  const redirectTo = (c: Context<AppEnv>, hash: string) =>
    c.redirect(`${services.consoleUrl}/${hash}`, 302);
  const withProblem = async (c: Context<AppEnv>, work: () => Promise<Response>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      services.log.warn('an operator could not sign in', {
        code: error.code,
        reason: error.message,
        ...(error.cause !== undefined && describeError(error.cause)),
      });
      return redirectTo(c, `#problem=${error.code}`);
    }
  };

  return [
    route({ ...shared, path: oidcPath, summary: 'Sign in at the provider' }, async ({ c }) =>
      withProblem(c, async () => {
        const { address, cookie } = await oidc.begin();
        setCookie(c, attemptCookie, cookie, { ...attemptOptions, maxAge: attemptLifetime });
        return c.redirect(address, 302);
      }),
    ),
    route({ ...shared, path: callbackPath, summary: 'Return from the provider' }, async ({ c }) =>
      withProblem(c, async () => {
        const cookie = getCookie(c, attemptCookie);
        deleteCookie(c, attemptCookie, attemptOptions);
        await startSession(c, await oidc.finish(new URL(c.req.url).search, cookie));
        return redirectTo(c, '');
      }),
    ),
  ];
}
