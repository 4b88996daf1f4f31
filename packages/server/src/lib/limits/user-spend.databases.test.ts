/** `spend_cents_per_user_per_day` of the embed policy. */
import { expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel } from '../testing/setup-paid-model.ts';
import { setupServer } from '../testing/setup-server.ts';

it('limits what one signed-in user spends in all sessions of a day, and is kept by `forget_me`', async () => {
  const { settings, requests } = await setupPaidModel([paidResponse]);
  const server = await setupServer({
    ...settings,
    agent: {
      ...settings.agent,
      appearance: { features: { forget_me: true } },
      embed: { ...settings.agent.embed, spend_cents_per_user_per_day: 3 },
    },
  });
  const send = (token: string) =>
    server.requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [message('Hello')],
    });
  const spent = async () => {
    const rows = await server.store.db.selectFrom('end_user_days').selectAll().execute();
    return rows.reduce((sum, row) => sum + Number(row.spent_microcents) / 1_000_000, 0);
  };
  const { token } = await server.issue('ada');

  // Each answer costs two cents.
  expect((await send(token)).status).toBe(200);
  await expect.poll(spent).toBe(2);
  expect((await send(token)).status).toBe(200);
  await expect.poll(spent).toBe(4);
  const refused = await send(token);
  await server.requestAsUser(token, 'POST', '/agent/v1/embed/forget_me');
  const forgotten = await send((await server.issue('ada')).token);

  expect(await problemOf(refused)).toMatchObject({ status: 429, code: 'EMBED_QUOTA_EXCEEDED' });
  expect(refused.headers.get('retry-after')).toBe('43200');
  expect(forgotten.status).toBe(429);
  const config = await server.requestAsUser(token, 'GET', '/agent/v1/embed/config');
  expect(await config.json()).toMatchObject({ allowances: [{ type: 'day', used: 1 }] });
  expect((await send((await server.issue('bob')).token)).status).toBe(200);
  await expect.poll(() => requests.length).toBe(3);
});
