import {
  type WebhookDelivery,
  type WebhookEndpoint,
  WebhookEvent,
  webhookEventTypes,
} from '@inlay/protocol';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { dayMs, systemClock } from '../clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { setupConversation } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';
import { type Respond, startWebhookReceiver, status } from '../testing/webhook-receiver.ts';

const base = '/agent/v1/webhook_endpoints';
const localConfig = { webhooks: { allowed_private_hosts: ['127.0.0.1'] } };
const minute = 60_000;

type Json = Record<string, unknown>;
interface Endpoint extends WebhookEndpoint {
  secret: string;
}

/** Sets up a platform with a fake clock, and a receiver. */
async function setup(options: SetupOptions = {}) {
  const receiver = await startWebhookReceiver();
  const { config, ...rest } = options;
  const server = await setupConversation({
    fakeClock: true,
    ...rest,
    config: { ...localConfig, ...config },
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await server.backend(method, base + path, body);
    return { status: response.status, body: (await response.json()) as Json };
  };
  const deliveries = async ({ id }: WebhookEndpoint, query = '') =>
    (await call('GET', `/${id}/deliveries?limit=100${query}`)).body.data as WebhookDelivery[];
  return {
    ...server,
    receiver,
    api: call,
    /** Creates an endpoint at a path of the receiver. */
    async createEndpoint(fields: object = {}, path = '/hooks'): Promise<Endpoint> {
      const created = await call('POST', '', {
        url: receiver.url + path,
        events: webhookEventTypes,
        ...fields,
      });
      expect(created).toMatchObject({ status: 200 });
      receiver.secrets.set(path, (created.body as Endpoint).secret);
      return created.body as Endpoint;
    },
    deliveries,
    /** Whether an attempt is in progress, which fails if the clock advances by 15 seconds. */
    isTrying: async (endpoint: WebhookEndpoint) =>
      (await deliveries(endpoint)).some(({ status }) => status === 'in_progress'),
    endpoint: async ({ id }: WebhookEndpoint) =>
      (await call('GET', `/${id}`)).body as WebhookEndpoint,
    /** Advances the clock by steps until the receiver has got this number of events. */
    received: (count: number, step = 0) =>
      expect
        .poll(() => {
          server.clock.advance(step);
          return receiver.received.length;
        })
        .toBe(count),
    types: () => receiver.received.map(({ type }) => type),
  };
}

describe('webhook endpoints', () => {
  it('are created, read, listed, changed and deleted', async () => {
    const { api, createEndpoint, endpoint, receiver } = await setup();
    const created = await createEndpoint({ events: ['feedback.created', 'feedback.created'] });
    expect(created).toEqual({
      type: 'webhook_endpoint',
      id: expect.stringMatching(/^whe_[\w-]{22}$/),
      url: `${receiver.url}/hooks`,
      description: null,
      events: ['feedback.created'],
      include: [],
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      previous_secret_ends_at: null,
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
    const { secret: _, ...withoutSecret } = created;
    const other = await createEndpoint({}, '/other');

    expect(await endpoint(created)).toEqual(withoutSecret);
    const first = await api('GET', '?limit=1');
    const second = await api('GET', `?limit=1&page=${first.body.next_page}`);
    const listed = [first, second].flatMap(({ body }) => body.data as WebhookEndpoint[]);
    expect(listed.map(({ id }) => id).sort()).toEqual([created.id, other.id].sort());
    expect(second.body.next_page).toBeNull();

    const change = { include: ['text'], description: 'CRM', disabled: true };
    expect((await api('POST', `/${created.id}`, change)).body).toMatchObject({
      events: ['feedback.created'],
      include: ['text'],
      description: 'CRM',
      status: 'disabled',
      disabled_reason: 'request',
    });
    expect((await api('POST', `/${created.id}/test`)).status).toBe(409);
    expect((await api('POST', `/${created.id}`, { disabled: false })).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    });

    expect((await api('DELETE', `/${created.id}`)).body).toEqual({
      type: 'webhook_endpoint_deleted',
      id: created.id,
    });
    expect((await api('GET', `/${created.id}`)).status).toBe(404);
  });

  it('are refused with the field and the remedy', async () => {
    const { api, createEndpoint, receiver } = await setup({
      lookupHost: async (hostname) => {
        const addresses: Record<string, string> = {
          'public.example': '93.184.215.14',
          'rebinding.example': '10.0.0.1',
          '127.0.0.1': '127.0.0.1',
          '10.1.2.3': '10.1.2.3',
          '::ffff:a00:1': '::ffff:a00:1',
          '169.254.169.254': '169.254.169.254',
          '100.64.0.1': '100.64.0.1',
          '::1': '::1',
          'fd00::1': 'fd00::1',
          'fe80::1': 'fe80::1',
          '64:ff9b::a00:1': '64:ff9b::a00:1',
        };
        const address = addresses[hostname];
        if (!address) throw new Error('ENOTFOUND');
        return [{ address, family: address.includes(':') ? 6 : 4 }];
      },
    });
    const { id } = await createEndpoint();
    const urls = [
      'http://public.example/',
      'https://unknown.example/',
      'https://rebinding.example/',
      'https://10.1.2.3/',
      'https://0x0a010203/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest',
      'https://100.64.0.1/',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://[64:ff9b::a00:1]/',
      'https://user:password@public.example/',
      'ftp://public.example/',
      'public.example',
    ];
    for (const url of urls) {
      for (const path of ['', `/${id}`]) {
        const refused = await api('POST', path, { url, events: ['token.revoked'] });
        expect([url, refused.status]).toEqual([url, 400]);
        expect(refused.body).toMatchObject({
          code: 'VALIDATION_ERROR',
          errors: [{ pointer: '/url' }],
        });
      }
    }
    const url = 'https://public.example/';
    expect((await api('POST', '', { url, events: ['token.revoked'] })).status).toBe(200);
    const errorsOf = async (body: object) =>
      ((await api('POST', '', body)).body.errors as { pointer: string }[])[0]?.pointer;
    expect(await errorsOf({ url, events: ['message.created', 'unknown'] })).toBe('/events/1');
    expect(await errorsOf({ url, events: [] })).toBe('/events');
    expect(await errorsOf({ url, events: ['token.revoked'], include: ['ip'] })).toBe('/include/0');
    expect(await errorsOf({ events: ['token.revoked'] })).toBe('/url');
    const replay = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect((await api('POST', `/${id}/replay`, replay)).body).toMatchObject({
      errors: [{ pointer: '/to' }],
    });
    for (let count = 2; count < 20; count += 1) await createEndpoint({}, `/${count}`);
    expect((await api('POST', '', { url: receiver.url, events: ['token.revoked'] })).status).toBe(
      409,
    );
  });

  it('are not found with an embed token', async () => {
    const { requestAsUser, token, createEndpoint } = await setup();
    const { id } = await createEndpoint();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
    ] as const) {
      const response = await requestAsUser(token, method, base + path, undefined);
      expect(response.status).toBe(404);
    }
  });

  it('are kept in other processes until they change', async () => {
    const { store, createEndpoint, receiver, api } = await setup();
    const servers = await Promise.all(
      ['two', 'three'].map((seed) =>
        setupServer({ sharedStore: store, seed, config: localConfig }),
      ),
    );
    const { id } = await createEndpoint({ events: ['end_user.blocked'] });
    const block = (user: string, server: (typeof servers)[number]) =>
      server.backend('POST', `/agent/v1/agents/test/end_users/${user}/block`);
    let number = 0;

    for (const server of servers) {
      await expect
        .poll(async () => {
          server.clock.advance(2_000);
          number += 1;
          await block(`user-${number}`, server);
          return receiver.received.length;
        })
        .toBeGreaterThan(servers.indexOf(server));
    }
    const countRows = async () =>
      (await store.db.selectFrom('webhook_deliveries').select('id').execute()).length;
    await api('DELETE', `/${id}`);
    for (const server of servers) {
      await expect
        .poll(async () => {
          server.clock.advance(2_000);
          const before = await countRows();
          number += 1;
          await block(`user-${number}`, server);
          return (await countRows()) - before;
        })
        .toBe(0);
    }
  });
});

describe('a webhook', () => {
  it('sends signed events of a conversation, in order and with ids only', async () => {
    const { create, createEndpoint, received, receiver, types, log, clock } = await setup();
    await createEndpoint();

    const sessionId = await create('Hello');
    await received(4);

    expect(receiver.refused).toEqual([]);
    expect(types()).toEqual([
      'session.created',
      'message.created',
      'message.created',
      'answer.completed',
    ]);
    const events = await log(sessionId);
    const idOf = (type: string) => events.find((event) => event.type === type)?.id;
    const shared = {
      agent_id: expect.stringMatching(/^agt_/),
      external_user_id: 'ada',
      session_id: sessionId,
    };
    expect(receiver.received.map(({ data }) => data)).toEqual([
      shared,
      { ...shared, event_id: idOf('user.message'), role: 'user' },
      { ...shared, event_id: idOf('agent.message'), role: 'agent' },
      { ...shared, event_id: idOf('session.status_idle') },
    ]);
    const [first] = receiver.received;
    expect(first?.timestamp).toBe(new Date(clock.now()).toISOString());
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^whd_/),
      'webhook-timestamp': String(clock.now() / 1000),
    });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4);
  });

  it('contains texts if the endpoint asks for them', async () => {
    const { call, create, createEndpoint, log, received, receiver } = await setup();
    await createEndpoint({ include: ['text'] });
    const id = await create('Hello');
    await received(4);
    const answer = (await log(id)).find(({ type }) => type === 'agent.message');
    const text = (answer as unknown as { content: { text: string }[] }).content[0]?.text;

    await call('POST', `/sessions/${id}/feedback`, {
      event_id: answer?.id,
      rating: 'down',
      comment: 'Too short',
    });
    await received(5);

    expect(receiver.received.map(({ type, data }) => [type, data.text])).toEqual([
      ['session.created', undefined],
      ['message.created', 'Hello'],
      ['message.created', text],
      ['answer.completed', text],
      ['feedback.created', 'Too short'],
    ]);
    expect(receiver.received[4]?.data).toMatchObject({ rating: 'down', event_id: answer?.id });
  });

  it('reports ended access, and only the types of the endpoint', async () => {
    const { backend, create, createEndpoint, issue, issuanceId, received, receiver } =
      await setup();
    await createEndpoint({
      events: [
        'token.revoked',
        'end_user.blocked',
        'end_user.unblocked',
        'end_user.erased',
        'session.terminated',
      ],
    });
    const id = await create('Hello');
    await backend('POST', `/agent/v1/sessions/${id}/terminate`, { reason: 'Done' });
    await received(1);
    const grace = await issue('grace');
    const users = '/agent/v1/agents/test/end_users';

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
    await received(2);
    await backend('POST', `${users}/grace/block`);
    await received(4);
    await backend('POST', `${users}/grace/unblock`);
    await received(5);
    await backend('POST', '/agent/v1/agents/test', { embed: { blocked_end_users: ['eve'] } });
    await received(6, 500);
    const erasure = await backend('POST', `${users}/grace/erase`);
    await received(7);

    expect(receiver.received[0]).toMatchObject({ type: 'session.terminated' });
    const { id: erasureId } = (await erasure.json()) as { id: string };
    const { agent_id } = receiver.received[0]?.data ?? {};
    expect(receiver.received.at(-1)).toMatchObject({ type: 'end_user.erased' });
    expect(receiver.received.at(-1)?.data).toEqual({ agent_id, erasure_id: erasureId });
    const rest = receiver.received
      .slice(1, -1)
      .map(({ type, data }) => `${type} ${data.external_user_id} ${data.token_id ?? ''}`.trim());
    expect(rest.toSorted()).toEqual(
      [
        `token.revoked ada ${issuanceId}`,
        'end_user.blocked grace',
        `token.revoked grace ${grace.id}`,
        'end_user.unblocked grace',
        'end_user.blocked eve',
      ].toSorted(),
    );
  });

  it('is signed with both secrets for 24 hours after a rotation', async () => {
    const { api, clock, createEndpoint, isTrying, received, receiver } = await setup();
    const endpoint = await createEndpoint();
    const rotated = (await api('POST', `/${endpoint.id}/rotate_secret`)).body as Endpoint;
    expect(rotated.secret).not.toBe(endpoint.secret);
    expect(rotated.previous_secret_ends_at).toBe(new Date(clock.now() + dayMs).toISOString());

    await api('POST', `/${endpoint.id}/test`);
    await received(1);
    receiver.secrets.set('/hooks', rotated.secret);
    await api('POST', `/${endpoint.id}/test`);
    await received(2);
    await expect.poll(() => isTrying(endpoint)).toBe(false);
    clock.advance(dayMs);
    await api('POST', `/${endpoint.id}/test`);
    await received(3);

    const signatures = receiver.received.map(
      ({ headers }) => String(headers['webhook-signature']).split(' ').length,
    );
    expect(signatures).toEqual([2, 2, 1]);
  });

  it('goes to the addresses that were checked, and is refused when the name gets a private one', async () => {
    const answers: string[] = [];
    const { api, createEndpoint, deliveries, received, receiver } = await setup({
      config: { webhooks: { allowed_private_hosts: ['receiver.test'] } },
      lookupHost: async (hostname) => {
        answers.push(hostname);
        const address = hostname === 'receiver.test' ? '127.0.0.1' : '93.184.215.14';
        // The second answer for a name is another address.
        const isFirst = answers.filter((name) => name === hostname).length === 1;
        return [{ address: isFirst || address === '127.0.0.1' ? address : '10.0.0.1', family: 4 }];
      },
    });
    const local = await createEndpoint({ url: `http://receiver.test:${receiver.port}/hooks` });
    await api('POST', `/${local.id}/test`);
    await received(1);
    expect(answers).toEqual(['receiver.test', 'receiver.test']);

    const rebound = await createEndpoint({ url: 'https://rebinding.example/' }, '/none');
    await api('POST', `/${rebound.id}/test`);
    await expect
      .poll(async () => (await deliveries(rebound))[0]?.error)
      .toContain('must have a host with public addresses');
    expect(answers.slice(2)).toEqual(['rebinding.example', 'rebinding.example']);
  });
});

describe('a failed attempt', () => {
  it.each<[string, Respond, string]>([
    ['a status', status(500), 'the response has the status 500'],
    ['a redirect', status(302, { location: 'https://example.com/' }), 'the status 302'],
    [
      'an HTML page',
      status(
        200,
        { 'content-type': 'text/html; charset=utf-8' },
        '\n<!doctype html><title>Sign in',
      ),
      'an HTML page',
    ],
    [
      'an endless response',
      (response) => {
        const write = () => {
          while (response.write('x'.repeat(16_384)));
          response.once('drain', write);
        };
        write();
      },
      'more than 65536 bytes',
    ],
    ['a closed connection', (response) => void response.destroy(), 'socket hang up'],
  ])('is %s', async (_, respond, error) => {
    const { api, createEndpoint, deliveries, received, receiver } = await setup();
    const endpoint = await createEndpoint();
    receiver.respond = respond;
    await api('POST', `/${endpoint.id}/test`);
    await received(1);

    await expect
      .poll(async () => (await deliveries(endpoint))[0])
      .toMatchObject({ status: 'queued', attempts: 1, error: expect.stringContaining(error) });
    receiver.respond = status(200, { 'content-type': 'text/html' }, `ok ${'y'.repeat(5000)}`);
    await received(2, 1000);

    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    await expect
      .poll(async () => (await deliveries(endpoint))[0])
      .toMatchObject({
        status: 'delivered',
        attempts: 2,
        error: null,
        next_attempt_at: null,
        response: { status: 200, body: `ok ${'y'.repeat(4093)}` },
      });
  });

  it('is one without a complete response within 15 seconds', async () => {
    const { api, clock, createEndpoint, deliveries, received, receiver } = await setup();
    const endpoint = await createEndpoint();
    receiver.respond = (response) => void response.writeHead(200).write('slow');
    await api('POST', `/${endpoint.id}/test`);
    await received(1);
    clock.advance(14_999);
    expect((await deliveries(endpoint))[0]?.status).toBe('in_progress');

    await expect
      .poll(async () => {
        clock.advance(1);
        return (await deliveries(endpoint))[0]?.error;
      })
      .toBe('no complete response within 15 seconds');
  });

  it('delays the later events of its session, but no others', async () => {
    const { create, createEndpoint, clock, isTrying, received, receiver, send } = await setup();
    const endpoint = await createEndpoint({ events: ['message.created'] });
    let failing: unknown = null;
    receiver.respond = (response, attempt, { data }) => {
      failing ??= data.session_id;
      const fails = data.session_id === failing && attempt < 4;
      response.writeHead(fails ? 503 : 204).end();
    };
    const first = await create('One');
    await received(1);
    await send(first, [{ type: 'user.message', content: [{ type: 'text', text: 'Two' }] }]);
    const second = await create('Other');
    await received(3);
    const of = (id: string) => receiver.received.filter(({ data }) => data.session_id === id);
    expect(of(second).map(({ data }) => data.role)).toEqual(['user', 'agent']);
    expect(of(first)).toHaveLength(1);

    // An attempt may be repeated, because it may start just before the clock advances.
    const ids = () => [...new Set(of(first).map(({ id }) => id))];
    await expect
      .poll(async () => {
        if (!(await isTrying(endpoint))) clock.advance(minute);
        return ids().length;
      })
      .toBe(4);

    const order = of(first).map(({ id }) => ids().indexOf(id));
    expect(order.filter((number) => number === 0).length).toBeGreaterThan(2);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('is repeated ten times, later and later, and `Retry-After` postpones it', async () => {
    const { api, clock, createEndpoint, deliveries, endpoint, received, receiver } = await setup();
    const created = await createEndpoint();
    receiver.respond = (response, attempt) =>
      void response.writeHead(503, attempt === 0 ? { 'retry-after': '600' } : {}).end();
    await api('POST', `/${created.id}/test`);
    const waits: number[] = [];
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await received(attempt);
      await expect
        .poll(async () => (await deliveries(created))[0])
        .toMatchObject({ attempts: attempt, status: 'queued' });
      const [delivery] = await deliveries(created);
      const wait = Date.parse(delivery?.next_attempt_at ?? '') - clock.now();
      waits.push(wait / minute);
      clock.advance(wait - 1);
      expect(receiver.received).toHaveLength(attempt);
      await received(attempt + 1, 1000);
    }

    await expect.poll(async () => (await deliveries(created))[0]?.status).toBe('failed');
    const delays = [10, 5, 30, 120, 300, 600, 840, 1200, 1440];
    for (const [index, delay] of delays.entries()) {
      expect(waits[index]).toBeGreaterThan(delay * 0.99);
      expect(waits[index]).toBeLessThanOrEqual(delay * 1.11);
    }
    expect((await endpoint(created)).failing_since).not.toBeNull();
    expect(await deliveries(created, '&status=delivered')).toEqual([]);
  });

  it('disables an endpoint that responds with 410, whose events can be sent later', async () => {
    const { api, create, createEndpoint, clock, deliveries, endpoint, received, receiver } =
      await setup();
    const created = await createEndpoint({ events: ['message.created'] });
    receiver.respond = status(410);
    const from = new Date(clock.now()).toISOString();
    await create('Hello');
    await received(1);
    await expect
      .poll(() => endpoint(created))
      .toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const statuses = async () => (await deliveries(created)).map((each) => each.status).sort();
    await expect.poll(statuses).toEqual(['failed', 'skipped']);
    await create('Hello again');
    await expect.poll(statuses).toEqual(['failed', 'skipped', 'skipped', 'skipped']);

    receiver.respond = status(204);
    await api('POST', `/${created.id}`, { disabled: false });
    clock.advance(1);
    const to = new Date(clock.now()).toISOString();
    expect((await api('POST', `/${created.id}/replay`, { from, to })).body).toMatchObject({
      queued: 4,
    });
    await received(5);

    const replayed = receiver.received.slice(1).map(({ data }) => data);
    for (const id of new Set(replayed.map((data) => data.session_id))) {
      const roles = replayed.filter((data) => data.session_id === id).map(({ role }) => role);
      expect(roles).toEqual(['user', 'agent']);
    }
    await expect.poll(statuses).toEqual(Array(4).fill('delivered'));
  });

  it('disables an endpoint after five days without a success', async () => {
    const { api, clock, createEndpoint, endpoint, received, receiver } = await setup();
    const created = await createEndpoint();
    receiver.respond = status(500);
    await api('POST', `/${created.id}/test`);
    await received(1);
    await expect.poll(async () => (await endpoint(created)).failing_since).not.toBeNull();
    clock.advance(5 * dayMs - 1);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect((await endpoint(created)).status).toBe('enabled');
    await expect
      .poll(async () => {
        clock.advance(3_600_000);
        return (await endpoint(created)).disabled_reason;
      })
      .toBe('failing');
  });
});

describe('deliveries', () => {
  it('are sent again with the same id', async () => {
    const { api, createEndpoint, deliveries, received, receiver } = await setup();
    const endpoint = await createEndpoint();
    await api('POST', `/${endpoint.id}/test`);
    await received(1);
    await expect.poll(async () => (await deliveries(endpoint))[0]?.status).toBe('delivered');
    const [delivery] = await deliveries(endpoint);

    const path = `/${endpoint.id}/deliveries/${delivery?.id}/resend`;
    expect((await api('POST', path)).body).toMatchObject({ id: delivery?.id });
    await received(2);

    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    expect((await api('POST', `/${endpoint.id}/deliveries/whd_x/resend`)).status).toBe(404);
  });

  it('are counted by outcome, with those that wait', async () => {
    const metrics = createMetrics();
    const { api, createEndpoint, received, receiver } = await setup({ metrics });
    const { id } = await createEndpoint();
    receiver.respond = status(500);
    await api('POST', `/${id}/test`);
    await received(1);
    const lines = async () =>
      (await metrics.read()).text.split('\n').filter((line) => line.startsWith('inlay_webhook_'));
    await expect
      .poll(lines)
      .toEqual(['inlay_webhook_deliveries_total{outcome="retried"} 1', 'inlay_webhook_queue 1']);

    receiver.respond = status(204);
    await received(2, 1000);

    await expect
      .poll(lines)
      .toEqual([
        'inlay_webhook_deliveries_total{outcome="retried"} 1',
        'inlay_webhook_deliveries_total{outcome="delivered"} 1',
        'inlay_webhook_queue 0',
      ]);
  });

  it('that are queued are deleted with their session, their user and their endpoint', async () => {
    const { api, backend, call, create, createEndpoint, clock, received, receiver, store } =
      await setup({ agent: { appearance: { features: { forget_me: true } } } });
    const endpoint = await createEndpoint();
    receiver.respond = status(500);
    const rows = () => store.db.selectFrom('webhook_deliveries').select('session_id').execute();
    const id = await create('Hello');
    await expect.poll(async () => (await rows()).length).toBe(4);
    await received(1);

    await call('DELETE', `/sessions/${id}`);
    await expect.poll(rows).toEqual([]);

    await create('Hello');
    const other = await backend('POST', '/agent/v1/agents/test/end_users/ada/unblock');
    expect(other.status).toBe(200);
    await expect.poll(async () => (await rows()).length).toBe(5);
    await call('POST', '/embed/forget_me');
    await expect.poll(rows).toEqual([]);

    await create('Hello');
    await expect.poll(async () => (await rows()).length).toBe(4);
    await api('DELETE', `/${endpoint.id}`);
    await expect.poll(rows).toEqual([]);
    const attempts = receiver.received.length;
    clock.advance(10 * minute);
    expect(receiver.received.length).toBe(attempts);
  });

  it('are deleted after their retention', async () => {
    const { api, clock, createEndpoint, received, store } = await setup();
    const endpoint = await createEndpoint();
    await api('POST', `/${endpoint.id}/test`);
    await received(1);
    const rows = () => store.db.selectFrom('webhook_deliveries').select('id').execute();
    clock.advance(30 * dayMs);
    expect(await rows()).toHaveLength(1);

    await expect
      .poll(() => {
        clock.advance(3_600_000);
        return rows();
      })
      .toEqual([]);
  });
});

it('a delivery is verified by the official library with its own check of the time', async () => {
  const { createEndpoint, received, receiver, api } = await setup({
    realClock: systemClock,
  });
  const { id, secret } = await createEndpoint();
  await api('POST', `/${id}/test`);
  await received(1);
  const [event] = receiver.received;
  const body = JSON.stringify({
    type: event?.type,
    timestamp: event?.timestamp,
    data: event?.data,
  });

  const headers = event?.headers as Record<string, string>;

  expect(WebhookEvent.parse(new Webhook(secret).verify(body, headers))).toMatchObject({
    type: 'webhook.test',
    data: { endpoint_id: id },
  });
});
