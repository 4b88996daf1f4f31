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
  // The first page signs in Ada, but not in the middle of a sign-out.
  expect((await routes.request('/', { headers })).headers.getSetCookie()).toEqual([]);
  expect([await signOut(), await signOut()]).toEqual([200, 200]);
  expect(calls).toEqual(['linus', 'linus']);
});
