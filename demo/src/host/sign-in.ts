import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import { findPerson, type Person, people } from './people.ts';
import { sameOrigin } from './same-origin.ts';

const cookie = 'vesper_session';
/** Cookie value after signing out. The first page signs in only browsers without a cookie. */
const signedOut = 'signed-out';

/** Routes for signing in and out, and a function that finds the signed-in user of a request. */
export interface SignIn {
  routes: Hono;
  whoIs(request: Request): Person | null;
}

export interface SignInOptions {
  /** Ends the conversations that the user has open in other tabs and windows. */
  onSignOut: (person: Person) => Promise<unknown>;
}

/**
 * A cookie login without passwords, because both customers are examples. The first page signs in as
 * Ada, so that its chat is one of a signed-in user from the start. Sessions are kept in memory, and
 * end with the process.
 */
export function createSignIn(options: SignInOptions): SignIn {
  const sessions = new Map<string, Person>();

  const whoIs = (request: Request) => {
    const { [cookie]: id = '' } = parse(request.headers.get('cookie') ?? '', cookie);
    return sessions.get(id) ?? null;
  };
  const begin = (context: Context, person: Person) => {
    // A new id for each sign-in prevents session fixation.
    const id = randomBytes(24).toString('base64url');
    sessions.set(id, person);
    setCookie(context, cookie, id, { httpOnly: true, sameSite: 'Lax', path: '/' });
  };
  const forget = (context: Context) => sessions.delete(getCookie(context, cookie) ?? '');
  const account = (person: Person | null) => ({
    person: person && publicPart(person),
    people: people.map(publicPart),
  });

  const routes = new Hono();
  routes.get('/', async (c, next) => {
    const ada = findPerson('ada');
    if (ada && !whoIs(c.req.raw) && getCookie(c, cookie) !== signedOut) begin(c, ada);
    await next();
  });
  routes.get('/me', (c) => c.json(account(whoIs(c.req.raw)), 200, { 'cache-control': 'no-store' }));

  routes.post('/login', sameOrigin, async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    const person = findPerson(body && typeof body === 'object' && 'id' in body ? body.id : null);
    if (!person) {
      const known = people.map(({ id }) => `"${id}"`).join(' or ');
      return c.json({ detail: `id must be ${known}.` }, 400);
    }
    forget(c);
    begin(c, person);
    return c.json(account(person));
  });

  routes.post('/logout', sameOrigin, async (c) => {
    const person = whoIs(c.req.raw);
    forget(c);
    if (person) await options.onSignOut(person);
    setCookie(c, cookie, signedOut, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return c.json(account(null));
  });

  return { routes, whoIs };
}

const publicPart = ({ id, name, role }: Person) => ({ id, name, role });
