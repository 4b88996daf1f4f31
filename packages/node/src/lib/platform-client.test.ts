import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createPlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import {
  createStubbedClient,
  json,
  problem,
  rejectionOf,
  startStubPlatform,
} from './testing/stub-platform.ts';

const issued = { id: 'emb_1', token: 'et_secret', expires_at: '2026-01-01T00:00:00.000Z' };

type Platform = ReturnType<typeof createPlatformClient>;

describe('the platform client', () => {
  it.each<[string, (platform: Platform) => Promise<unknown>, string, string]>([
    ['agents.list', ({ agents }) => agents.list({ limit: 5 }), 'GET /agents?limit=5', ''],
    [
      'agents.list with archived agents',
      ({ agents }) => agents.list({ include_archived: true, page: 'p' }),
      'GET /agents?include_archived=true&page=p',
      '',
    ],
    ['agents.get', ({ agents }) => agents.get('a/b'), 'GET /agents/a%2Fb', ''],
    [
      'agents.create',
      ({ agents }) => agents.create({ short_id: 's', name: 'S', model: { provider: 'scripted' } }),
      'POST /agents',
      '{"short_id":"s","name":"S","model":{"provider":"scripted"}}',
    ],
    [
      'agents.update',
      ({ agents }) => agents.update('a', { embed: null, keep_version: true }),
      'POST /agents/a',
      '{"embed":null,"keep_version":true}',
    ],
    [
      'agents.checkEmbed',
      ({ agents }) => agents.checkEmbed('a', { max_ttl_seconds: 60 }),
      'POST /agents/a/embed/check',
      '{"embed":{"max_ttl_seconds":60}}',
    ],
    ['agents.archive', ({ agents }) => agents.archive('a'), 'POST /agents/a/archive', ''],
    ['agents.restore', ({ agents }) => agents.restore('a'), 'POST /agents/a/restore', ''],
    ['agents.versions', ({ agents }) => agents.versions('a'), 'GET /agents/a/versions', ''],
    ['agents.version', ({ agents }) => agents.version('a', '1'), 'GET /agents/a/versions/1', ''],
    [
      'endUsers.listBlocked',
      ({ endUsers }) => endUsers.listBlocked('a', { limit: 5, page: 'p' }),
      'GET /agents/a/blocked_end_users?limit=5&page=p',
      '',
    ],
    [
      'endUsers.list',
      ({ endUsers }) => endUsers.list('a', { query: 'ad', blocked: 'true', limit: 5 }),
      'GET /agents/a/end_users?query=ad&blocked=true&limit=5',
      '',
    ],
    ['endUsers.get', ({ endUsers }) => endUsers.get('a', 'b'), 'GET /agents/a/end_users/b', ''],
    [
      'usage',
      ({ usage }) => usage({ group_by: ['day', 'agent'], from: '2026-01-01' }),
      'GET /usage?group_by=day%2Cagent&from=2026-01-01',
      '',
    ],
    [
      'endUsers.erase',
      ({ endUsers }) => endUsers.erase('a', 'ada@x', { keep_block: true }),
      'POST /agents/a/end_users/ada%40x/erase',
      '{"keep_block":true}',
    ],
    [
      'endUsers.export',
      ({ endUsers }) => endUsers.export('a', 'ada'),
      'POST /agents/a/end_users/ada/export',
      '',
    ],
    [
      'auditEvents.list',
      ({ auditEvents }) => auditEvents.list({ actor: 'cli', action: 'keys create', limit: 5 }),
      'GET /audit_events?actor=cli&action=keys+create&limit=5',
      '',
    ],
    [
      'publishableKeys.list',
      ({ publishableKeys }) => publishableKeys.list('a'),
      'GET /agents/a/publishable_keys',
      '',
    ],
    [
      'publishableKeys.create',
      ({ publishableKeys }) => publishableKeys.create('a', { name: 'shop' }),
      'POST /agents/a/publishable_keys',
      '{"name":"shop"}',
    ],
    [
      'publishableKeys.update',
      ({ publishableKeys }) => publishableKeys.update('a', 'pk_1', { sessions_per_day: 2 }),
      'POST /agents/a/publishable_keys/pk_1',
      '{"sessions_per_day":2}',
    ],
    [
      'publishableKeys.rotate',
      ({ publishableKeys }) => publishableKeys.rotate('a', 'pk_1', { overlap_seconds: 60 }),
      'POST /agents/a/publishable_keys/pk_1/rotate',
      '{"overlap_seconds":60}',
    ],
    [
      'publishableKeys.disable',
      ({ publishableKeys }) => publishableKeys.disable('a', 'pk_1'),
      'POST /agents/a/publishable_keys/pk_1/disable',
      '',
    ],
    [
      'publishableKeys.enable',
      ({ publishableKeys }) => publishableKeys.enable('a', 'pk_1'),
      'POST /agents/a/publishable_keys/pk_1/enable',
      '',
    ],
    [
      'publishableKeys.delete',
      ({ publishableKeys }) => publishableKeys.delete('a', 'pk_1'),
      'DELETE /agents/a/publishable_keys/pk_1',
      '',
    ],
    [
      'sessions.list',
      ({ sessions }) =>
        sessions.list({
          query: 'red kettle',
          agent_id: 'a',
          metadata: { plan: 'pro' },
          archived: 'false',
          limit: 5,
        }),
      'GET /sessions?query=red+kettle&agent_id=a&archived=false&metadata%5Bplan%5D=pro&limit=5',
      '',
    ],
    [
      'feedback.list',
      ({ feedback }) => feedback.list({ agent_id: 'a', version: '1', rating: 'down', page: 'p' }),
      'GET /feedback?agent_id=a&version=1&rating=down&page=p',
      '',
    ],
    [
      'embedTokens.list with filters',
      ({ embedTokens }) => embedTokens.list({ publishable_key: 'pk_1', status: 'active' }),
      'GET /embed_tokens?publishable_key=pk_1&status=active',
      '',
    ],
    ['sessions.get', ({ sessions }) => sessions.get('ses/1'), 'GET /sessions/ses%2F1', ''],
    [
      'sessions.events',
      ({ sessions }) => sessions.events('ses_1', { types: ['a', 'b'], order: 'desc', limit: 5 }),
      'GET /sessions/ses_1/events?types=a&types=b&order=desc&limit=5',
      '',
    ],
    [
      'sessions.stream',
      ({ sessions }) => sessions.stream('ses_1', { deltas: ['agent.message'] }).next(),
      'GET /sessions/ses_1/events/stream?event_deltas=agent.message',
      '',
    ],
    [
      'sessions.export',
      ({ sessions }) => sessions.export('ses_1', { format: 'json' }),
      'GET /sessions/ses_1/export?format=json',
      '',
    ],
    [
      'sessions.feedback',
      ({ sessions }) => sessions.feedback('ses_1'),
      'GET /sessions/ses_1/feedback',
      '',
    ],
    ['sessions.delete', ({ sessions }) => sessions.delete('ses_1'), 'DELETE /sessions/ses_1', ''],
    ['files.content', ({ files }) => files.content('file_1'), 'GET /files/file_1/content', ''],
    [
      'sessions.terminate',
      ({ sessions }) => sessions.terminate('ses_1', { reason: 'Closed for today.' }),
      'POST /sessions/ses_1/terminate',
      '{"reason":"Closed for today."}',
    ],
    [
      'webhookEndpoints.list',
      ({ webhookEndpoints }) => webhookEndpoints.list({ limit: 5 }),
      'GET /webhook_endpoints?limit=5',
      '',
    ],
    [
      'webhookEndpoints.get',
      ({ webhookEndpoints }) => webhookEndpoints.get('whe_1'),
      'GET /webhook_endpoints/whe_1',
      '',
    ],
    [
      'webhookEndpoints.create',
      ({ webhookEndpoints }) =>
        webhookEndpoints.create({ url: 'https://a.example/', events: ['session.created'] }),
      'POST /webhook_endpoints',
      '{"url":"https://a.example/","events":["session.created"]}',
    ],
    [
      'webhookEndpoints.update',
      ({ webhookEndpoints }) => webhookEndpoints.update('whe_1', { disabled: true }),
      'POST /webhook_endpoints/whe_1',
      '{"disabled":true}',
    ],
    [
      'webhookEndpoints.delete',
      ({ webhookEndpoints }) => webhookEndpoints.delete('whe_1'),
      'DELETE /webhook_endpoints/whe_1',
      '',
    ],
    [
      'webhookEndpoints.rotateSecret',
      ({ webhookEndpoints }) => webhookEndpoints.rotateSecret('whe_1'),
      'POST /webhook_endpoints/whe_1/rotate_secret',
      '',
    ],
    [
      'webhookEndpoints.test',
      ({ webhookEndpoints }) => webhookEndpoints.test('whe_1'),
      'POST /webhook_endpoints/whe_1/test',
      '',
    ],
    [
      'webhookEndpoints.deliveries',
      ({ webhookEndpoints }) => webhookEndpoints.deliveries('whe_1', { status: 'failed' }),
      'GET /webhook_endpoints/whe_1/deliveries?status=failed',
      '',
    ],
    [
      'webhookEndpoints.resend',
      ({ webhookEndpoints }) => webhookEndpoints.resend('whe_1', 'whd_1'),
      'POST /webhook_endpoints/whe_1/deliveries/whd_1/resend',
      '',
    ],
    [
      'webhookEndpoints.replay',
      ({ webhookEndpoints }) =>
        webhookEndpoints.replay('whe_1', {
          from: '2026-01-01T00:00:00Z',
          to: '2026-01-02T00:00:00Z',
        }),
      'POST /webhook_endpoints/whe_1/replay',
      '{"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z"}',
    ],
  ])('sends the request of `%s` to the platform', async (_, call, address, body) => {
    const { platform, requests } = await createStubbedClient([
      { status: 404, body: problem('NOT_FOUND', 404, false) },
    ]);

    const error = await rejectionOf(call(platform));

    expect(error.code).toBe('NOT_FOUND');
    const [request] = requests;
    expect(`${request?.method} ${request?.url}`).toBe(address.replace(' ', ' /agent/v1'));
    expect(request?.body).toBe(body);
  });

  it('issues a token with the API key in a header and the parameters in the body', async () => {
    const { platform, requests } = await createStubbedClient([{ status: 200, body: issued }]);

    const result = await platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });

    expect(result).toEqual(issued);
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/agent/v1/embed_tokens',
        headers: { authorization: 'Bearer sk-service-test' },
        body: '{"agent":"demo","external_user_id":"ada"}',
      },
    ]);
  });

  it('issues tokens even if a framework has replaced the global Response', async () => {
    const { platform } = await createStubbedClient([{ status: 200, body: issued }]);
    const original = globalThis.Response;
    globalThis.Response = class extends original {};
    try {
      const result = await platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });
      expect(result.id).toBe('emb_1');
    } finally {
      globalThis.Response = original;
    }
  });

  it('sends only the given query parameters', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 200, body: { data: [], next_cursor: null, next_page: null } },
    ]);

    await platform.embedTokens.list({ external_user_id: 'a@b:c', limit: 5 });

    expect(requests[0]?.url).toBe('/agent/v1/embed_tokens?external_user_id=a%40b%3Ac&limit=5');
  });

  it('rejects an unknown query parameter, because ignoring it would list all items', async () => {
    const { platform, requests } = await createStubbedClient([{ status: 200, body: { data: [] } }]);
    const filter = { agent: 'agt_1' } as object;

    const error = await rejectionOf(platform.embedTokens.list(filter));

    expect([error.code, requests]).toEqual(['INVALID_OPTION', []]);
    expect(error.message).toContain('no parameter `agent`, only agent_id, external_user_id');
  });

  it('rejects an unknown filter of the list of conversations', async () => {
    const { platform, requests } = await createStubbedClient([{ status: 200, body: { data: [] } }]);

    const error = await rejectionOf(platform.sessions.list({ user: 'ada' } as object));

    expect([error.code, requests]).toEqual(['INVALID_OPTION', []]);
  });

  it('escapes ids in paths', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 404, body: problem('NOT_FOUND', 404, false) },
    ]);

    await rejectionOf(platform.endUsers.block('agt_1', '../../revoke'));

    expect(requests[0]?.url).toBe('/agent/v1/agents/agt_1/end_users/..%2F..%2Frevoke/block');
  });

  it.each([
    [undefined, 'is undefined'],
    [null, 'is null'],
    [42, 'is 42'],
    [{ id: 'ada', secret: 'x' }, 'is an object'],
    ['', 'is ""'],
    ['..', 'is ".."'],
    ['a\ud800', 'is "a\\ud800"'],
  ])('rejects the id %j without sending a request', async (id, description) => {
    const { platform, requests } = await createStubbedClient([{ status: 200, body: issued }]);
    const invalid = id as string;

    const errors = await Promise.all(
      [
        platform.endUsers.block('demo', invalid),
        platform.endUsers.revokeTokens(invalid, 'ada'),
        platform.embedTokens.revoke(invalid),
        platform.agents.version('demo', invalid),
        platform.publishableKeys.disable('demo', invalid),
        platform.sessions.terminate(invalid),
        platform.databases.deleteTable('db_1', invalid),
        platform.automation.scripts.archive('shop', invalid),
      ].map(rejectionOf),
    );

    for (const error of errors) {
      expect(error).toMatchObject({ name: 'PlatformError', code: 'INVALID_OPTION' });
      expect(error.message).toContain(`An id or name ${description} in the path`);
    }
    expect(errors[0]?.message).toContain('/agent/v1/agents/demo/end_users/');
    expect(requests).toEqual([]);
  });

  it('rejects with the code, request id and status of the problem', async () => {
    const { platform } = await createStubbedClient([
      {
        status: 403,
        body: problem('EMBED_USER_BLOCKED', 403, false),
        headers: { 'x-request-id': 'req_7' },
      },
    ]);

    const error = await rejectionOf(
      platform.embedTokens.issue({ agent: 'demo', external_user_id: 'eve' }),
    );

    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({
      code: 'EMBED_USER_BLOCKED',
      status: 403,
      requestId: 'req_7',
      retryable: false,
    });
  });

  it('reads one issuance record', async () => {
    const record = {
      type: 'embed_token',
      id: 'emb/1',
      agent_id: 'agt_1',
      agent_version: '1',
      external_user_id: 'ada',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-01T00:10:00.000Z',
      revoked_at: null,
      budget_cents: null,
      allowed_origins: [],
      metadata: {},
      features: {},
      session_id: null,
      anonymous: false,
    };
    const { platform, requests } = await createStubbedClient([{ status: 200, body: record }]);

    expect(await platform.embedTokens.get('emb/1')).toMatchObject({ id: 'emb/1' });
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/agent/v1/embed_tokens/emb%2F1' });
  });

  it('rejects with UNEXPECTED_RESPONSE if the response does not come from the platform', async () => {
    const { platform } = await createStubbedClient([{ status: 200, body: '<html>' }]);

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error.code).toBe('UNEXPECTED_RESPONSE');
  });

  it('does not follow a redirect, which would disclose the key', async () => {
    const { platform, requests } = await createStubbedClient(
      [{ status: 307, body: {}, headers: { location: '/elsewhere' } }],
      { maxRetries: 0 },
    );

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error.code).toBe('NETWORK_ERROR');
    expect(requests).toHaveLength(1);
  });

  it.each([[''], [undefined]])(
    'can be created without an API key (%j), but rejects every call',
    async (apiKey) => {
      const { baseUrl, requests } = await createStubbedClient([{ status: 200, body: issued }]);
      const platform = createPlatformClient({ baseUrl, apiKey });

      const errors = [
        await rejectionOf(platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' })),
        await rejectionOf(platform.agents.list()),
      ];

      expect(errors.map(({ code }) => code)).toEqual(['INVALID_OPTION', 'INVALID_OPTION']);
      expect(errors[0]?.message).toContain('Set the environment variable INLAY_API_KEY');
      expect(requests).toEqual([]);
    },
  );

  it.each([
    ['a publishable key', { baseUrl: 'https://chat.example', apiKey: 'pk_demo' }, /publishable/],
    [
      'a key with a line break',
      { baseUrl: 'https://chat.example', apiKey: 'sk-service-a\n' },
      /apiKey/,
    ],
    ['an invalid URL', { baseUrl: 'chat.example', apiKey: 'sk-service-a' }, /baseUrl/],
  ])('cannot be created with %s, and the error names the mistake', (_name, options, message) => {
    expect(() => createPlatformClient(options)).toThrow(message);
  });

  it.each([
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { timeoutMs: Number.NaN },
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { maxRetries: Number.NaN },
    { concurrentIssuances: 0 },
  ])('cannot be created with %o, and the error names the option', (invalid) => {
    const create = () =>
      createPlatformClient({ baseUrl: 'https://chat.example', apiKey: 'sk-service-a', ...invalid });

    expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(create).toThrow(`\`${Object.keys(invalid)[0]}\` must be`);
  });

  it('has at most `concurrentIssuances` issuances in flight, and names them if one times out in the queue', async () => {
    const responses: ServerResponse[] = [];
    const { baseUrl, requests } = await startStubPlatform((response) => responses.push(response));
    const platform = createPlatformClient({
      baseUrl,
      apiKey: 'sk-service-a',
      concurrentIssuances: 8,
      maxRetries: 0,
    });
    const issue = (timeoutMs: number) =>
      platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' }, { timeoutMs });

    const inFlight = Array.from({ length: 8 }, () => issue(60_000).catch(() => {}));
    await expect.poll(() => responses).toHaveLength(8);
    const error = await rejectionOf(issue(10));
    for (const response of responses) json(issued)(response);
    await Promise.all(inFlight);

    expect(requests).toHaveLength(8);
    expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(error.message).toContain('only 8 may be in flight: raise concurrentIssuances');
  });

  it.each([' ', '\n', '/ ', '//'])('ignores %j after the base URL', async (suffix) => {
    const { baseUrl, requests } = await createStubbedClient([{ status: 200, body: issued }]);
    const platform = createPlatformClient({ baseUrl: baseUrl + suffix, apiKey: 'sk-service-a' });

    await platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });

    expect(requests[0]?.url).toBe('/agent/v1/embed_tokens');
  });

  it.each([Number.POSITIVE_INFINITY, 0, 2 ** 31, Number.NaN])(
    'rejects an issuance with the timeout %d without sending a request',
    async (timeoutMs) => {
      const { platform, requests } = await createStubbedClient([{ status: 200, body: issued }]);

      const error = await rejectionOf(
        platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' }, { timeoutMs }),
      );

      expect(error.code).toBe('INVALID_OPTION');
      expect(error.message).toContain('`timeoutMs`');
      expect(requests).toEqual([]);
    },
  );
});
