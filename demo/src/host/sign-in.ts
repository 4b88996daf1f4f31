import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import { type Customer, customers, findCustomer } from './customers.ts';
import { sameOrigin } from './same-origin.ts';

const cookie = 'vesper_session';
/** Cookie value after signing out, with which no page signs in Ada again. */
const signedOut = 'signed-out';

/** Routes for signing in and out, and a function that finds the signed-in user of a request. */
export interface SignIn {
  routes: Hono;
  signedInCustomer(request: Request): Customer | null;
}

export interface SignInOptions {
  /**
   * Called after the session has ended, to end the user's conversations in all tabs and windows. If it
   * rejects, it is called again when the user repeats the sign-out.
   */
  onSignOut: (customer: Customer) => Promise<unknown>;
}

/**
 * A cookie login without passwords, because both customers are examples. The first page that is opened
 * signs in Ada, so that its chat works immediately. Sessions are in memory, and end with the process.
 */
export function createSignIn(options: SignInOptions): SignIn {
  const sessions = new Map<string, Customer>();
  /** Customers of ended sessions for whom `onSignOut` has not succeeded yet, by session id. */
  const signingOut = new Map<string, Customer>();

  const signedInCustomer = (request: Request) => {
    const { [cookie]: id = '' } = parse(request.headers.get('cookie') ?? '', cookie);
    return sessions.get(id) ?? null;
  };
  const startSession = (context: Context, customer: Customer) => {
    // A new id for each sign-in prevents session fixation.
    const id = randomBytes(24).toString('base64url');
    sessions.set(id, customer);
    setCookie(context, cookie, id, { httpOnly: true, sameSite: 'Lax', path: '/' });
  };
  const endSession = (context: Context) => sessions.delete(getCookie(context, cookie) ?? '');
  const account = (customer: Customer | null) => ({
    customer: customer && publicPart(customer),
    customers: customers.map(publicPart),
  });

  const routes = new Hono();
  routes.get('*', async (c, next) => {
    if (!c.req.header('accept')?.includes('text/html')) return next();
    const ada = findCustomer('ada');
    const id = getCookie(c, cookie) ?? '';
    if (ada && !sessions.has(id) && !signingOut.has(id) && id !== signedOut) startSession(c, ada);
    await next();
  });
  routes.get('/me', (c) =>
    c.json(account(signedInCustomer(c.req.raw)), 200, { 'cache-control': 'no-store' }),
  );

  routes.post('/login', sameOrigin, async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    const customer = findCustomer(
      body && typeof body === 'object' && 'id' in body ? body.id : null,
    );
    if (!customer) {
      const known = customers.map(({ id }) => `"${id}"`).join(' or ');
      return c.json({ detail: `id must be ${known}.` }, 400);
    }
    endSession(c);
    startSession(c, customer);
    return c.json(account(customer));
  });

  routes.post('/logout', sameOrigin, async (c) => {
    const id = getCookie(c, cookie) ?? '';
    const customer = sessions.get(id) ?? signingOut.get(id);
    if (customer) {
      endSession(c);
      // If this fails, a repeated request calls it again.
      signingOut.set(id, customer);
      await options.onSignOut(customer);
      signingOut.delete(id);
    }
    setCookie(c, cookie, signedOut, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return c.json(account(null));
  });

  return { routes, signedInCustomer };
}

const publicPart = ({ id, name, role }: Customer) => ({ id, name, role });
