/** Credentials that end while the request body is being received. */
import { AnonymousTokenResponse, type DatabaseResource, EmbedConfig } from '@inlay/protocol';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import type { RouteDescription } from '../http/route.ts';
import { hashSecret, systemRandom } from '../random.ts';
import { type IncompleteRequest, sendIncomplete } from '../testing/incomplete-request.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { apiKeyId, createApiKey, revokeApiKey } from './api-keys.ts';

const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };

/** Sets up an API key, a visitor, and a resource for each route that changes something. */
async function setup() {
  const server = await setupConversation({
    agent: { model, appearance: { features: { forget_me: true }, consent: { text: 'Agree?' } } },
    config: {
      models: [{ id: 'm', providers: [model] }],
      webhooks: { allowed_private_hosts: ['127.0.0.1'] },
    },
  });
  const keys = { store: server.store, clock: systemClock, random: systemRandom };
  const apiKey = await createApiKey(keys, 'backend');
  const createdKey = await server.backend('POST', '/agent/v1/agents/test/publishable_keys', {});
  const { key } = (await createdKey.json()) as { key: string };
  const anonymous = await server.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
    publishable_key: key,
  });
  const { token } = AnonymousTokenResponse.parse(await anonymous.json());
  const config = await server.requestAsUser(token, 'GET', '/agent/v1/embed/config');
  const { consent, token: facts } = EmbedConfig.parse(await config.json());
  const user = facts.external_user_id;
  const list = await server.backend('GET', `/agent/v1/embed_tokens?external_user_id=${user}`);
  const { data } = (await list.json()) as { data: { id: string }[] };
  const issuanceId = data[0]?.id ?? '';
  const created = await server.requestAsUser(token, 'POST', '/agent/v1/sessions', {
    initial_events: [message('Hello')],
  });
  const { id: sessionId } = (await created.json()) as { id: string };
  const answerId = async () => {
    const path = `/agent/v1/sessions/${sessionId}/events?types[]=agent.message`;
    const page = await server.requestAsUser(token, 'GET', path);
    return ((await page.json()) as { data: { id: string }[] }).data[0]?.id;
  };
  await expect.poll(answerId).toBeDefined();
  await expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  const backend = (path: string) => server.backend('POST', `/agent/v1${path}`);

  const create = async (path: string, body: object) =>
    (await (await server.backend('POST', path, body)).json()) as DatabaseResource & { id: string };
  const [databases, libraries] = ['/database/v1/databases', '/media/v1/libraries'] as const;
  const asset = { name: 'Late', url: 'https://files.example.com/late.mp4' };
  const field = { name: 'late', type: 'text' };
  const database = await create(databases, { name: 'Late' });
  const changed = await create(`${databases}/${database.id}/tables`, {
    name: 'late',
    fields: [field],
  });
  const [table] = changed.tables;
  const library = await create(libraries, { name: 'Late' });
  const { id: assetId } = await create(`${libraries}/${library.id}/assets`, asset);
  const createDeleted = async (base: string) => {
    const { id } = await create(base, { name: 'Deleted' });
    await server.backend('DELETE', `${base}/${id}`);
    return id;
  };
  const deleted = {
    [databases]: await createDeleted(databases),
    [libraries]: await createDeleted(libraries),
  };

  const automation = '/automation/v1';
  const code = { kind: 'code', language: 'ts', source: 'export default () => 1;' };
  const named = (name: string) => ({ namespace: 'late', name });
  const revision = { input_schema: {}, output_schema: {}, implementation: code };
  const bodiesOfScripts: Record<string, object> = {};
  await create(`${automation}/actions`, { ...named('action'), ...revision });
  for (const kind of ['scripts', 'workflows']) {
    const source = kind === 'scripts' ? 'export default 1;' : 'steps: {}';
    const base = `${automation}/${kind}`;
    const automationPath = `${base}/late/${kind}`;
    await create(base, { ...named(kind), source });
    await create(`${automationPath}/versions`, { version: '1.0.0' });
    await create(`${automationPath}/dist_tags/beta`, { version: '1.0.0' });
    Object.assign(bodiesOfScripts, {
      [base]: { ...named(`other-${kind}`), source },
      [`${base}/:ns/:name`]: { description: 'Later' },
      [`${base}/:ns/:name/versions`]: { version: '1.0.1' },
      [`${base}/:ns/:name/dist_tags/:tag`]: { version: '1.0.0' },
      [`${base}/:ns/:name/archive`]: {},
      [`${base}/:ns/:name/restore`]: {},
    });
  }

  const webhooks = '/agent/v1/webhook_endpoints';
  const receiver = await startWebhookReceiver();
  const webhook = { url: `${receiver.url}/hooks`, events: ['session.created'] };
  const endpoint = (await create(webhooks, webhook)) as { id: string; secret?: string };
  receiver.secrets.set('/hooks', endpoint.secret ?? '');
  const delivery = await create(`${webhooks}/${endpoint.id}/test`, {});
  const deliveries = () => server.store.db.selectFrom('webhook_deliveries').select('status');
  await expect.poll(() => deliveries().execute()).toEqual([{ status: 'delivered' }]);

  const parameters: Record<string, string> = {
    ':delivery': delivery.id,
    ':ns': 'late',
    ':tag': 'beta',
    ':agent_id': 'test',
    ':external_user_id': user,
    ':key': key,
    ':table': table?.id ?? '',
    ':field': table?.fields[0]?.id ?? '',
    ':asset': assetId,
  };
  const idOf = (path: string) => {
    for (const [base, { id }] of [
      [databases, database],
      [libraries, library],
    ] as const) {
      if (path.startsWith(base)) return path.endsWith('/restore') ? (deleted[base] ?? '') : id;
    }
    if (path.includes('/agents/')) return 'test';
    if (path.startsWith(webhooks)) return endpoint.id;
    return path.includes('/embed_tokens/') ? issuanceId : sessionId;
  };
  const bodies: Record<string, object> = {
    ...bodiesOfScripts,
    [`${automation}/actions`]: { ...named('other-action'), ...revision },
    [`${automation}/actions/:ns/:name`]: { description: 'Later' },
    [`${automation}/actions/:ns/:name/archive`]: {},
    [`${automation}/actions/:ns/:name/restore`]: {},
    '/agent/v1/agents': { short_id: 'late', name: 'Late', model: { provider: 'scripted' } },
    '/agent/v1/agents/:id': { name: 'Late' },
    '/agent/v1/agents/:agent_id/end_users/:external_user_id/erase': {},
    '/agent/v1/agents/:id/embed/check': { embed: {} },
    '/agent/v1/agents/:id/publishable_keys': { name: 'Late' },
    '/agent/v1/agents/:id/publishable_keys/:key': { name: 'Late' },
    '/agent/v1/agents/:id/publishable_keys/:key/rotate': {},
    '/agent/v1/embed_tokens': { agent: 'test', external_user_id: 'late' },
    '/agent/v1/embed/consents': { text_sha256: consent?.text_sha256, language: 'en' },
    '/agent/v1/sessions': { initial_events: [message('Late')] },
    '/agent/v1/sessions/:id': { title: 'Late' },
    '/agent/v1/sessions/:id/events': { events: [message('Late')] },
    '/agent/v1/sessions/:id/feedback': { event_id: await answerId(), rating: 'up' },
    '/agent/v1/sessions/:id/terminate': {},
    [databases]: { name: 'Late' },
    [`${databases}/:id`]: { name: 'Later' },
    [`${databases}/:id/tables`]: { name: 'later' },
    [`${databases}/:id/tables/:table`]: { name: 'renamed' },
    [`${databases}/:id/tables/:table/fields`]: { ...field, name: 'later' },
    [`${databases}/:id/tables/:table/fields/:field`]: { name: 'renamed' },
    [libraries]: { name: 'Late' },
    [`${libraries}/:id`]: { name: 'Later' },
    [`${libraries}/:id/assets`]: asset,
    [`${libraries}/:id/assets/:asset`]: { name: 'Later' },
    [webhooks]: webhook,
    [`${webhooks}/:id`]: { description: 'Late' },
    [`${webhooks}/:id/replay`]: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    '/model/v1/chat/completions': { model: 'm', messages: [{ role: 'user', content: 'Late' }] },
  };
  const bodyOf = ({ path, body, accepts }: RouteDescription) => {
    if (accepts) {
      const part = 'content-disposition: form-data; name="file"; filename="a.txt"';
      const content = `--part\r\n${part}\r\n\r\nLate\r\n--part--\r\n`;
      return { 'content-type': 'multipart/form-data; boundary=part', content };
    }
    const json = bodies[path];
    if (body && !json) throw new Error(`Add a valid body for ${path} to this test.`);
    return { 'content-type': 'application/json', content: JSON.stringify(json ?? {}) };
  };

  return {
    ...server,
    /**
     * All routes that change something and accept credentials of this audience, except the claim of a
     * visitor, which needs a signed-in user (`claim-visitor.databases.test.ts`).
     */
    mutating: async (audience: 'backend' | 'end_user') =>
      (await server.app.routes())
        .map(({ description }) => description)
        .filter(({ path }) => path !== '/agent/v1/embed/claim')
        .filter((route) => route.method !== 'get' && ['any', audience].includes(route.audience)),
    /** Sends a valid request without the last byte of its body. */
    sendWithoutLastByte(
      route: RouteDescription,
      audience = route.audience,
    ): Promise<IncompleteRequest> {
      const [, , kind = ''] = route.path.slice(1).split('/');
      const automationName = kind === 'actions' ? 'action' : kind;
      const path = route.path.replaceAll(/:\w+/g, (name) =>
        name === ':name' ? automationName : (parameters[name] ?? idOf(route.path)),
      );
      const { content, ...headers } = bodyOf(route);
      const credential = audience === 'backend' ? apiKey : token;
      return sendIncomplete(server.url, {
        method: route.method.toUpperCase(),
        path,
        headers: {
          ...headers,
          authorization: `Bearer ${credential}`,
          ...(credential === token && { origin: testOrigin }),
        },
        body: content,
      });
    },
    /** All rows of all tables, except the heartbeats of processes and the times at which keys were used. */
    async rows() {
      const { db } = server.store;
      const tables = (await db.introspection.getTables()).filter(({ name }) => name !== 'workers');
      return Object.fromEntries(
        await Promise.all(
          tables.map(async ({ name }) => [
            name,
            (
              await db
                .selectFrom(name as 'api_keys')
                .selectAll()
                .execute()
            ).map(({ last_used_at: _, ...row }) => row),
          ]),
        ),
      ) as Record<string, unknown>;
    },
    endings: {
      'the API key is revoked': () => revokeApiKey(keys, apiKeyId(hashSecret(apiKey))),
      'the token is revoked': () => backend(`/embed_tokens/${issuanceId}/revoke`),
      'the token expires': () => backend(`/embed_tokens/${issuanceId}/expire`),
      'the user is blocked': () => backend(`/agents/test/end_users/${user}/block`),
      'the user is blocked by the policy': () =>
        server.backend('POST', '/agent/v1/agents/test', { embed: { blocked_end_users: [user] } }),
      'the publishable key is disabled': () =>
        backend(`/agents/test/publishable_keys/${key}/disable`),
      'the agent is archived': () => backend('/agents/test/archive'),
    },
  };
}

type Ending = keyof Awaited<ReturnType<typeof setup>>['endings'];

describe('a request whose last byte is delayed', () => {
  it.each<[Ending, 'backend' | 'end_user', string]>([
    ['the API key is revoked', 'backend', 'AUTHENTICATION_ERROR'],
    ['the token is revoked', 'end_user', 'EMBED_TOKEN_REVOKED'],
    ['the token expires', 'end_user', 'EMBED_TOKEN_EXPIRED'],
    ['the user is blocked', 'end_user', 'EMBED_TOKEN_REVOKED'],
    ['the user is blocked by the policy', 'end_user', 'EMBED_TOKEN_REVOKED'],
    ['the publishable key is disabled', 'end_user', 'EMBED_TOKEN_REVOKED'],
    ['the agent is archived', 'end_user', 'EMBED_TOKEN_REVOKED'],
  ])(
    'is rejected by every mutating route if %s before that byte arrives, and changes nothing',
    async (ending, audience, code) => {
      const { endings, sendWithoutLastByte, mutating, rows } = await setup();
      const routes = await mutating(audience);
      const requests = await Promise.all(
        routes.map((route) => sendWithoutLastByte(route, audience)),
      );
      await endings[ending]();
      const before = await rows();

      const responses = await Promise.all(requests.map((request) => request.finish()));

      const name = ({ method, path }: RouteDescription) => `${method} ${path}`;
      const codes = routes.map((route, index) => [
        name(route),
        responses[index]?.code ?? 'accepted',
      ]);
      expect(routes.length).toBeGreaterThanOrEqual(audience === 'backend' ? 15 : 9);
      expect(Object.fromEntries(codes)).toEqual(
        Object.fromEntries(routes.map((route) => [name(route), code])),
      );
      expect(await rows()).toEqual(before);
    },
  );

  it('is accepted by every mutating route if its credential is still valid', async () => {
    const shared = await setup();
    // First the routes of the end user, because some backend routes end the user's access.
    const audiences = ['end_user', 'backend'] as const;
    const calls = [];
    for (const audience of audiences) {
      for (const route of await shared.mutating(audience)) calls.push({ route, audience });
    }
    const routes = calls.map(({ route }) => route);
    /** Whether a route deletes what other routes need. */
    const needsOwnServer = ({ method, path }: RouteDescription) =>
      path.endsWith('/forget_me') ||
      path.endsWith('/erase') ||
      (method === 'delete' && routes.some((other) => other.path.startsWith(`${path}/`)));

    expect(routes.length).toBeGreaterThanOrEqual(24);
    for (const { route, audience } of calls) {
      const { sendWithoutLastByte, store } = needsOwnServer(route) ? await setup() : shared;
      const { status, body } = await (await sendWithoutLastByte(route, audience)).finish();
      expect([route.path, status, body]).toEqual([route.path, 200, expect.anything()]);
      if (audience === 'end_user') continue;
      const entries = await store.db
        .selectFrom('audit_events')
        .select(['actor', 'request_id'])
        .where('actor', '=', 'key:backend')
        .where('action', '=', `${route.method.toUpperCase()} ${route.path}`)
        .execute();
      const entry = { actor: 'key:backend', request_id: expect.stringMatching(/^req_/) };
      expect([route.path, entries]).toEqual([route.path, route.unaudited ? [] : [entry]]);
    }
  });
});

describe('the audit record', () => {
  it('leaves out only the requests that are no administration', async () => {
    const { mutating } = await setup();

    const unaudited = (await mutating('backend')).filter((route) => route.unaudited);

    expect(unaudited.map(({ path }) => path)).toEqual([
      '/agent/v1/embed_tokens',
      '/agent/v1/agents/:id/embed/check',
      '/model/v1/chat/completions',
    ]);
  });

  it('has an entry in the transaction of every mutating route: if it cannot be written, nothing changes', async () => {
    const { sendWithoutLastByte, mutating, rows, store } = await setup();
    await sql`create trigger full_record before insert on audit_events begin
      select raise(abort, 'full'); end`.execute(store.db);
    const routes = (await mutating('backend')).filter((route) => !route.unaudited);
    const before = await rows();

    for (const route of routes) {
      const { status } = await (await sendWithoutLastByte(route, 'backend')).finish();
      expect([route.path, status]).toEqual([route.path, 500]);
      expect([route.path, await rows()]).toEqual([route.path, before]);
    }
  });
});
