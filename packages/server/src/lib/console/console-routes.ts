import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import * as z from 'zod';
import type { AppEnv } from '../http/env.ts';
import { type Route, route } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import {
  consoleApi,
  cookieName,
  isSecure,
  requireOperator,
  sessionPath,
} from './console-guards.ts';
import {
  changeToken,
  createSession,
  endSession,
  type SignedIn,
  sessionLifetime,
} from './operator-sessions.ts';
import { endSessions, setPassword, useLink } from './operators.ts';
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

/** Routes with which operators sign in and out. They are not part of the API for backends. */
export function sessionRoutes(services: Services): Route[] {
  const { store } = services;
  const shared = { audience: 'public', tag: 'Console', response: null } as const;
  const cookieOptions: CookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(services.baseUrl),
  };

  const describe = ({ name, role, password_hash }: SignedIn, secret: string) => ({
    operator: {
      name,
      role,
      has_password: password_hash !== null || isAdminSecretOf(services, name),
    },
    token: changeToken(secret),
  });
  const startSession = async (c: Context<AppEnv>, operator: SignedIn) => {
    const secret = await createSession(services, operator);
    const maxAge = sessionLifetime / 1000;
    setCookie(c, cookieName(services), secret, { ...cookieOptions, maxAge });
    return describe(operator, secret);
  };

  return [
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
