/** Rules 1.3 and 4.8: the published clients of this repository. */
import { createAutomation } from '@inlay/node';
import { expect, it, onTestFinished } from 'vitest';
import { createTab } from '../faults/setup.ts';
import { apiKey, startReferenceServer } from './setup/server.ts';

/** Starts a server, and a page whose `getToken` calls the host's backend. */
async function startPage() {
  const { url, issue, backend } = await startReferenceServer();
  const issued: { id: string; token: string }[] = [];
  const requested: (string | null)[] = [];
  const tab = createTab({ baseUrl: url }, async (current) => {
    requested.push(current);
    const next = await issue();
    issued.push(next);
    return next.token;
  });
  onTestFinished(() => tab.client.close());
  return { ...tab, issued, requested, backend };
}

it('4.8 `getToken` is called with null first, and then with the current token', async () => {
  const { client, issued, requested, backend, skip } = await startPage();
  await client.sessions.list();
  await backend('POST', `/agent/v1/embed_tokens/${issued[0]?.id}/revoke`);
  // The client requests at most one token in five seconds.
  skip(10_000);

  await client.sessions.list();

  expect(requested).toEqual([null, issued[0]?.token]);
});

it('4.8 the token that `getToken` returns is used for the following requests', async () => {
  const { client, issued, sent } = await startPage();

  await client.sessions.list();
  await client.sessions.list();

  expect(issued).toHaveLength(1);
  const credentials = sent.map(({ headers }) => headers.get('authorization'));
  expect(new Set(credentials)).toEqual(new Set([`Bearer ${issued[0]?.token}`]));
});

it('1.3 the automation client creates and restores actions, scripts and workflows', async () => {
  const { url } = await startReferenceServer();
  const automation = createAutomation({ baseUrl: url, apiKey });
  const name = { namespace: 'shop', name: 'orders' };
  const source = 'export default () => 1;';
  await automation.actions.create({ ...name, implementation: { kind: 'code', source } });
  await automation.scripts.create({ ...name, source });
  await automation.workflows.create({ namespace: 'flows', name: 'orders', source: 'steps: []' });

  const restored = [
    await automation.actions.restore('shop', 'orders'),
    await automation.scripts.restore('shop', 'orders'),
    await automation.workflows.restore('flows', 'orders'),
  ];

  expect(restored.map(({ id }) => id.split('_')[0])).toEqual(['act', 'scr', 'wf']);
});
