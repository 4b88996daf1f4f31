import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import { findPerson, type Person, people } from './people.ts';
import { sameOrigin } from './same-origin.ts';

const cookie = 'vesper_session';

/** Who is signed in, by the session that their cookie names. */
export interface SignIn {
  routes: Hono;
  whoIs(request: Request): Person | null;
}

export interface SignInOptions {
  /** Ends what the person has open elsewhere: other tabs, other windows. */
  onSignOut: (person: Person) => Promise<unknown>;
}

/**
 * An ordinary cookie login, without passwords because both people are examples. Sessions are in
 * memory: starting the demo again signs everybody out.
 */
export function createSignIn(options: SignInOptions): SignIn {
  const sessions = new Map<string, Person>();

  const whoIs = (request: Request) => {
    const { [cookie]: id = '' } = parse(request.headers.get('cookie') ?? '', cookie);
    return sessions.get(id) ?? null;
  };
  const forget = (context: Context) => sessions.delete(getCookie(context, cookie) ?? '');
  const account = (person: Person | null) => ({
    person: person && publicPart(person),
    people: people.map(publicPart),
  });

  const routes = new Hono();
  routes.get('/me', (c) => c.json(account(whoIs(c.req.raw)), 200, { 'cache-control': 'no-store' }));

  routes.post('/login', sameOrigin, async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    const person = findPerson(body && typeof body === 'object' && 'id' in body ? body.id : null);
    if (!person) {
      const known = people.map(({ id }) => `"${id}"`).join(' or ');
      return c.json({ detail: `id must be ${known}.` }, 400);
    }
    // A new id at each sign-in, so that one which was planted before is worth nothing.
    forget(c);
    const id = randomBytes(24).toString('base64url');
    sessions.set(id, person);
    setCookie(c, cookie, id, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return c.json(account(person));
  });

  routes.post('/logout', sameOrigin, async (c) => {
    const person = whoIs(c.req.raw);
    forget(c);
    if (person) await options.onSignOut(person);
    deleteCookie(c, cookie, { path: '/' });
    return c.json(account(null));
  });

  return { routes, whoIs };
}

const publicPart = ({ id, name, role }: Person) => ({ id, name, role });
