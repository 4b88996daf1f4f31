/** Rules 4.1: effects of the fields of an issuance on the conversations of the issued token. */
import { expect, it } from 'vitest';
import { streamAnswer } from './setup/model-server.ts';
import { type ServerOptions, startReferenceServer } from './setup/server.ts';
import { startUpstream } from './setup/upstream.ts';

const sessionsPath = '/agent/v1/sessions';
const userMessage = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };

/** Starts a server with an agent whose model is an upstream. A response costs 2 cents. */
async function startAgent(policy: ServerOptions['policy'] = {}) {
  const upstream = await startUpstream(streamAnswer('All is well.'));
  const server = await startReferenceServer({
    config: { prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } } },
    agent: {
      instructions: 'You are the helper of the shop.',
      model: { provider: 'openai-compatible', base_url: `${upstream.url}/v1`, model: 'm' },
    },
    policy,
  });
  return {
    ...server,
    requests: upstream.requests,
    /** Starts a session with a message, and returns its id when the agent has answered. */
    converse: async (token: string): Promise<string> => {
      const call = server.asUser(token);
      const { body } = await call('POST', sessionsPath, { initial_events: [userMessage] });
      const read = async () => (await call('GET', `${sessionsPath}/${body.id}`)).body.status;
      await expect.poll(read).toBe('idle');
      return body.id;
    },
    /** Sends another message, and returns the response. */
    send: (token: string, id: string) =>
      server.asUser(token)('POST', `${sessionsPath}/${id}/events`, { events: [userMessage] }),
  };
}

it('4.1 `system_message` is context for the model, in addition to the instructions', async () => {
  const { issue, converse, requests } = await startAgent();
  const context = [{ type: 'text', text: 'Ada has ordered a lamp.' }];
  const { token } = await issue({ system_message: context });

  await converse(token);

  const sent = requests[0]?.body;
  expect(sent).toContain('You are the helper of the shop.');
  expect(sent).toContain('Ada has ordered a lamp.');
});

it('4.1 `agent_override` replaces the instructions of the token', async () => {
  const { issue, converse, requests } = await startAgent({ allow_agent_override: true });
  const { token } = await issue({ agent_override: { system: 'You are a pirate.' } });

  await converse(token);

  const sent = requests[0]?.body;
  expect(sent).toContain('You are a pirate.');
  expect(sent).not.toContain('You are the helper of the shop.');
});

it('4.1 a token keeps its version when the agent changes', async () => {
  const { issue, backend, converse, requests } = await startAgent();
  const { token } = await issue();
  await backend('POST', '/agent/v1/agents/helper', { instructions: 'You are someone else.' });

  await converse(token);

  expect(requests[0]?.body).toContain('You are the helper of the shop.');
});

it('4.1 `budget_cents` is the budget of a single session', async () => {
  const { issue, converse, send } = await startAgent();
  const { token } = await issue({ budget_cents: 2 });
  const id = await converse(token);

  const refused = await send(token, id);

  expect(refused.status).toBe(402);
  const next = await converse(token);
  expect((await send(token, next)).status).toBe(402);
});

it('4.1 `external_user_id` identifies the user within one agent', async () => {
  const { issue, asUser, backend, converse } = await startAgent();
  const { body: helper } = await backend('GET', '/agent/v1/agents/helper');
  const { model, embed } = helper;
  await backend('POST', '/agent/v1/agents', { short_id: 'second', name: 'Second', model, embed });
  const first = await issue();
  await converse(first.token);

  const second = asUser((await issue({ agent: 'second' })).token);
  await backend('POST', '/agent/v1/agents/helper/end_users/ada/block');

  const { status, body } = await second('GET', sessionsPath);
  expect([status, body.data]).toEqual([200, []]);
});
