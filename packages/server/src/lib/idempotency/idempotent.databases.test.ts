import { describe, expect, it } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { type ServerSetup, setupServer, testApiKey } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Sends a message to a session with an `Idempotency-Key`. */
const sendMessage = (
  server: ServerSetup,
  token: string,
  id: string,
  text: string,
  key = 'one-key',
) =>
  server.requestAsUser(
    token,
    'POST',
    `/agent/v1/sessions/${id}/events`,
    { events: [message(text)] },
    { 'idempotency-key': key },
  );

async function createSession(server: ServerSetup, user = 'ada') {
  const { token } = await server.issue(user);
  const created = await server.requestAsUser(token, 'POST', '/agent/v1/sessions', {});
  const { id } = (await created.json()) as { id: string };
  return { token, id };
}

async function textsOf(server: ServerSetup): Promise<string[]> {
  const rows = await server.store.db
    .selectFrom('events')
    .select('json')
    .where('type', '=', 'user.message')
    .execute();
  return rows.map(({ json }) => JSON.parse(json).content[0].text);
}

const bodies = (responses: Response[]) => Promise.all(responses.map((response) => response.text()));

describe('an Idempotency-Key', () => {
  it('S26: gives simultaneous requests on two processes the same response', async () => {
    const firstServer = await setupServer();
    const secondServer = await setupServer({ sharedStore: firstServer.store, seed: 'two' });
    const { token, id } = await createSession(firstServer);

    const responses = await Promise.all(
      [firstServer, secondServer, firstServer, secondServer, firstServer, secondServer].map(
        (server) => sendMessage(server, token, id, 'hello'),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(await bodies(responses)).size).toBe(1);
    expect(await textsOf(firstServer)).toEqual(['hello']);
  });

  it('7.1: admits one of several simultaneous requests with different bodies, and refuses the others with a 409', async () => {
    const firstServer = await setupServer();
    const secondServer = await setupServer({ sharedStore: firstServer.store, seed: 'two' });
    const { token, id } = await createSession(firstServer);

    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text, n) =>
        sendMessage(n % 2 ? firstServer : secondServer, token, id, text),
      ),
    );

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({
      code: 'CONFLICT',
      retryable: false,
      detail: expect.stringMatching(/used with another body/),
    });
    expect(await textsOf(firstServer)).toHaveLength(1);
  });

  it('creates one session for several simultaneous requests', async () => {
    const firstServer = await setupServer();
    const secondServer = await setupServer({ sharedStore: firstServer.store, seed: 'two' });
    const { token } = await firstServer.issue();
    const body = { initial_events: [message('hello')] };
    const key = { 'idempotency-key': 'begin' };

    const responses = await Promise.all(
      [firstServer, secondServer, secondServer, firstServer].map((server) =>
        server.requestAsUser(token, 'POST', '/agent/v1/sessions', body, key),
      ),
    );

    expect(new Set(await bodies(responses)).size).toBe(1);
    expect(await firstServer.store.db.selectFrom('sessions').select('id').execute()).toHaveLength(
      1,
    );
    expect(await textsOf(firstServer)).toEqual(['hello']);
  });

  it('still applies after a restart of the server', async () => {
    const data = temporaryFolder();
    const first = await setupServer({ data });
    const { token, id } = await createSession(first);
    const before = await (await sendMessage(first, token, id, 'hello')).text();
    await first.close();
    const second = await setupServer({ data, seed: 'second' });

    const again = await sendMessage(second, token, id, 'hello');
    const other = await sendMessage(second, token, id, 'another');

    expect([await again.text(), other.status]).toEqual([before, 409]);
    expect(await textsOf(second)).toEqual(['hello']);
  });

  it('is deleted after a day', async () => {
    const server = await setupServer();
    const { token, id } = await createSession(server);
    await sendMessage(server, token, id, 'hello');
    const storedKeys = () => server.store.db.selectFrom('idempotency').select('key').execute();
    server.clock.advance(86_400_000);
    expect(await storedKeys()).toHaveLength(1);

    await expect
      .poll(() => {
        // The sweep runs every hour.
        server.clock.advance(3_600_000);
        return storedKeys();
      })
      .toEqual([]);
  });

  it('has no effect on requests of other users or in other sessions', async () => {
    const server = await setupServer();
    const [ada, bob] = [await createSession(server, 'ada'), await createSession(server, 'bob')];
    const second = await server.requestAsUser(ada.token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await second.json()) as { id: string };

    const responses = [
      await sendMessage(server, ada.token, ada.id, 'from ada'),
      await sendMessage(server, bob.token, bob.id, 'from bob'),
      await sendMessage(server, ada.token, id, 'elsewhere'),
    ];

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('2.1: is ignored and not stored for token requests', async () => {
    const server = await setupServer();
    const issue = () =>
      server.app.request('/agent/v1/embed_tokens', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${testApiKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'one-key',
        },
        body: JSON.stringify({ agent: 'test', external_user_id: 'ada' }),
      });

    const [first, second] = await Promise.all([issue(), issue()]);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await first.text()).not.toBe(await second.text());
    expect(await server.store.db.selectFrom('idempotency').selectAll().execute()).toEqual([]);
  });
});
