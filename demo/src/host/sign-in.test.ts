import { expect, it } from 'vitest';
import type { Customer } from './customers.ts';
import { createSignIn } from './sign-in.ts';

it('calls onSignOut again if the sign-out is repeated after a failure', async () => {
  const calls: string[] = [];
  const { routes } = createSignIn({
    onSignOut: async ({ id }: Customer) => {
      calls.push(id);
      if (calls.length === 1) throw new Error('The platform is down.');
    },
  });
  routes.onError((_, c) => c.text('', 500));
  const signIn = await routes.request('/login', {
    method: 'POST',
    body: JSON.stringify({ id: 'linus' }),
  });
  const headers = { cookie: signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const signOut = async () => (await routes.request('/logout', { method: 'POST', headers })).status;

  expect(await signOut()).toBe(500);
  expect(await (await routes.request('/me', { headers })).json()).toMatchObject({ customer: null });
  // An opened page signs in Ada, but not in the middle of a sign-out.
  const opened = { ...headers, accept: 'text/html' };
  expect((await routes.request('/', { headers: opened })).headers.getSetCookie()).toEqual([]);
  expect([await signOut(), await signOut()]).toEqual([200, 200]);
  expect(calls).toEqual(['linus', 'linus']);
});

it('signs in Ada on the first page that is opened, whichever it is', async () => {
  const { routes } = createSignIn({ onSignOut: async () => {} });
  routes.get('/desk', (c) => c.html(''));

  const page = await routes.request('/desk', { headers: { accept: 'text/html' } });
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  expect(await (await routes.request('/me', { headers: { cookie } })).json()).toMatchObject({
    customer: { id: 'ada' },
  });
  expect((await routes.request('/desk')).headers.getSetCookie()).toEqual([]);
});
