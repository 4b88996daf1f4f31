import type { Action } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { type AutomationClient, createAutomation } from './automation-client.ts';
import { createPlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import {
  json,
  problem,
  type Responder,
  rejectionOf,
  startStubPlatform,
} from './testing/stub-platform.ts';

const times = { created_at: '2026-01-15T12:00:00.000Z', updated_at: '2026-01-15T12:00:00.000Z' };

const action = (name: string): Action => ({
  id: `act_${name}`,
  namespace: 'shop',
  name,
  description: '',
  labels: {},
  owner: 'default',
  archived_at: null,
  ...times,
  builtin: false,
  current_revision: {
    id: 'actr_1',
    digest: 'sha256:1',
    input_schema: {},
    output_schema: {},
    errors: [],
    annotations: { read_only: false, idempotent: false },
    timeout_ms: 30_000,
    implementation: { kind: 'code', language: 'ts', source: 'export default () => ({});' },
    host: 'isolate',
    platform_apis: [],
    created_by: { type: 'api_key', id: 'key_1' },
    message: null,
    created_at: times.created_at,
  },
  stats_7d: { calls: 0, failures: 0, p50_ms: null },
  dependents: { scripts: 0, workflows: 0 },
});

const version = {
  version: '1.0.0',
  digest: 'sha256:1',
  created_by: { type: 'api_key', id: 'key_1' },
  message: null,
  published_at: times.created_at,
  source: 'export default async () => {};',
};

const script = {
  id: 'scr_1',
  kind: 'script',
  namespace: 'shop',
  name: 'nightly',
  description: '',
  labels: {},
  owner: 'default',
  latest_version: null,
  dist_tags: {},
  draft_digest: 'sha256:1',
  draft_changed: true,
  latest_run: null,
  stats_7d: { runs: 0, failures: 0 },
  archived_at: null,
  ...times,
};

const page = (next: string | null, ...data: unknown[]) =>
  json({ data, next_cursor: next, next_page: next });
const unavailable = json(problem('SERVICE_UNAVAILABLE', 503, true), 503, { 'retry-after': '0' });
const noResponse: Responder = (response) => response.destroy();

async function setup(...responders: Responder[]) {
  const { baseUrl, requests } = await startStubPlatform(...responders);
  const automation = createAutomation({ baseUrl, apiKey: 'sk-service-test' });
  return { automation, requests, baseUrl };
}

describe('the automation client', () => {
  it.each<[string, (automation: AutomationClient) => PromiseLike<unknown>, string, string]>([
    ['actions.list', ({ actions }) => actions.list(), 'GET /actions', ''],
    [
      'actions.create',
      ({ actions }) =>
        actions.create({
          namespace: 'shop',
          name: 'refund',
          implementation: { kind: 'code', source: 'export default () => ({});' },
        }),
      'POST /actions',
      '{"namespace":"shop","name":"refund","implementation":{"kind":"code","source":"export default () => ({});"}}',
    ],
    ['actions.get', ({ actions }) => actions.get('shop', 'a/b'), 'GET /actions/shop/a%2Fb', ''],
    [
      'actions.update',
      ({ actions }) => actions.update('shop', 'refund', { timeout_ms: 5000, message: 'Faster' }),
      'POST /actions/shop/refund',
      '{"timeout_ms":5000,"message":"Faster"}',
    ],
    [
      'actions.revisions',
      ({ actions }) => actions.revisions('shop', 'refund', { limit: 5, page: 'p' }),
      'GET /actions/shop/refund/revisions?limit=5&page=p',
      '',
    ],
    [
      'actions.revision',
      ({ actions }) => actions.revision('shop', 'refund', 'actr_1'),
      'GET /actions/shop/refund/revisions/actr_1',
      '',
    ],
    [
      'actions.archive',
      ({ actions }) => actions.archive('shop', 'refund'),
      'POST /actions/shop/refund/archive',
      '{}',
    ],
    [
      'actions.restore',
      ({ actions }) => actions.restore('shop', 'refund'),
      'POST /actions/shop/refund/restore',
      '{}',
    ],
    ['scripts.list', ({ scripts }) => scripts.list({ limit: 5 }), 'GET /scripts?limit=5', ''],
    ['workflows.list', ({ workflows }) => workflows.list(), 'GET /workflows', ''],
    [
      'workflows.create',
      ({ workflows }) => workflows.create({ namespace: 'shop', name: 'order', source: 'do: []' }),
      'POST /workflows',
      '{"namespace":"shop","name":"order","source":"do: []"}',
    ],
    [
      'scripts.get',
      ({ scripts }) => scripts.get('shop', 'nightly'),
      'GET /scripts/shop/nightly',
      '',
    ],
    [
      'scripts.update',
      ({ scripts }) => scripts.update('shop', 'nightly', { labels: { team: 'billing' } }),
      'POST /scripts/shop/nightly',
      '{"labels":{"team":"billing"}}',
    ],
    [
      'workflows.draft',
      ({ workflows }) => workflows.draft('shop', 'order'),
      'GET /workflows/shop/order/draft',
      '',
    ],
    [
      'workflows.updateDraft',
      ({ workflows }) => workflows.updateDraft('shop', 'order', { source: 'do: []' }),
      'POST /workflows/shop/order',
      '{"source":"do: []"}',
    ],
    [
      'scripts.publish',
      ({ scripts }) => scripts.publish('shop', 'nightly', { version: '1.0.0' }),
      'POST /scripts/shop/nightly/versions',
      '{"version":"1.0.0"}',
    ],
    [
      'scripts.versions',
      ({ scripts }) => scripts.versions('shop', 'nightly', { page: 'p' }),
      'GET /scripts/shop/nightly/versions?page=p',
      '',
    ],
    [
      'scripts.version',
      ({ scripts }) => scripts.version('shop', 'nightly', '1.0.0+7'),
      'GET /scripts/shop/nightly/versions/1.0.0%2B7',
      '',
    ],
    [
      'scripts.setTag',
      ({ scripts }) => scripts.setTag('shop', 'nightly', 'stable', { version: '1.0.0' }),
      'POST /scripts/shop/nightly/dist_tags/stable',
      '{"version":"1.0.0"}',
    ],
    [
      'scripts.deleteTag',
      ({ scripts }) => scripts.deleteTag('shop', 'nightly', 'stable'),
      'DELETE /scripts/shop/nightly/dist_tags/stable',
      '',
    ],
    [
      'scripts.archive',
      ({ scripts }) => scripts.archive('shop', 'nightly'),
      'POST /scripts/shop/nightly/archive',
      '{}',
    ],
    [
      'workflows.restore',
      ({ workflows }) => workflows.restore('shop', 'order'),
      'POST /workflows/shop/order/restore',
      '{}',
    ],
  ])('sends the request of `%s` to the platform', async (_, call, address, body) => {
    const { automation, requests } = await setup(
      json(problem('TARGET_NOT_FOUND', 404, false), 404),
    );

    const error = await rejectionOf(Promise.resolve(call(automation)));

    expect(error).toBeInstanceOf(PlatformError);
    expect(error.code).toBe('TARGET_NOT_FOUND');
    const [request] = requests;
    expect(`${request?.method} ${request?.url}`).toBe(address.replace(' ', ' /automation/v1'));
    expect(request?.body).toBe(body);
    expect(request?.headers.authorization).toBe('Bearer sk-service-test');
    expect(request?.headers).not.toHaveProperty('if-match');
  });

  it('returns the resources of the platform, including unknown members', async () => {
    const { automation } = await setup(
      json({ ...action('refund'), later: 1 }),
      json({ ...script, later: 1 }),
      json({ source: 'x', digest: 'sha256:1' }),
      json(version),
    );

    expect(await automation.actions.get('shop', 'refund')).toEqual({
      ...action('refund'),
      later: 1,
    });
    expect(await automation.scripts.get('shop', 'nightly')).toEqual({ ...script, later: 1 });
    expect(await automation.scripts.draft('shop', 'nightly')).toEqual({
      source: 'x',
      digest: 'sha256:1',
    });
    expect(await automation.scripts.publish('shop', 'nightly', { version: '1.0.0' })).toEqual(
      version,
    );
  });

  it('has the same methods as `automation` of the platform client', async () => {
    const { automation, baseUrl } = await setup(json(action('refund')));
    const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });

    expect(await platform.automation.actions.get('shop', 'refund')).toEqual(action('refund'));
    for (const service of ['actions', 'scripts', 'workflows'] as const) {
      expect(Object.keys(platform.automation[service])).toEqual(Object.keys(automation[service]));
    }
  });

  it('cannot be created with an invalid `baseUrl`', () => {
    const create = () => createAutomation({ baseUrl: 'chat', apiKey: 'sk-service-test' });

    expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });

  it('can be created without an API key, but rejects every call', async () => {
    const { baseUrl, requests } = await setup(json(action('refund')));

    const automation = createAutomation({ baseUrl, apiKey: undefined });
    const error = await rejectionOf(automation.actions.get('shop', 'refund'));

    expect(error.code).toBe('INVALID_OPTION');
    expect(error.message).toContain('INLAY_API_KEY');
    expect(requests).toEqual([]);
  });

  it('retries a call after a 429', async () => {
    const { automation, requests } = await setup(
      json(problem('RATE_LIMITED', 429, true), 429, { 'retry-after': '0' }),
      json(action('refund')),
    );

    await automation.actions.get('shop', 'refund');

    expect(requests).toHaveLength(2);
  });

  it.each([
    ['NAME_TAKEN', 409],
    ['NAMESPACE_FORBIDDEN', 403],
    ['OPERATION_NOT_SUPPORTED', 501],
  ])('rejects a call with the code %s of the platform, without a retry', async (code, status) => {
    const { automation, requests } = await setup(json(problem(code, status, false), status));

    const error = await rejectionOf(
      automation.actions.create({
        namespace: 'praxis',
        name: 'refund',
        implementation: { kind: 'shell', script: 'true' },
      }),
    );

    expect(error).toMatchObject({ code, status, retryable: false, message: `Because ${code}.` });
    expect(requests).toHaveLength(1);
  });
});

describe('a list of the automation client', () => {
  it('resolves to one page with `await`', async () => {
    const { automation, requests } = await setup(page('next', action('a')));

    const { data, next_page } = await automation.actions.list();

    expect(data.map(({ name }) => name)).toEqual(['a']);
    expect(next_page).toBe('next');
    expect(requests).toHaveLength(1);
  });

  it('yields all items with `for await`, and sends the same filters for each page', async () => {
    const { automation, requests } = await setup(
      page('2', action('a'), action('b')),
      page('3'),
      page(null, action('c')),
    );

    const names: string[] = [];
    const filters = { namespace: 'shop', include_archived: true, limit: 2 };
    const labels = { team: 'billing', 'a b]': 'x&y' };
    for await (const { name } of automation.actions.list({ ...filters, labels })) names.push(name);

    expect(names).toEqual(['a', 'b', 'c']);
    const queries = requests.map(({ url }) =>
      Object.fromEntries(new URL(url ?? '', 'http://x').searchParams),
    );
    const first = {
      namespace: 'shop',
      include_archived: 'true',
      limit: '2',
      'labels[team]': 'billing',
      'labels[a b]]': 'x&y',
    };
    expect(queries).toEqual([first, { ...first, page: '2' }, { ...first, page: '3' }]);
  });

  it('starts at the `page` of the parameters', async () => {
    const { automation, requests } = await setup(page('3', version), page(null, version));

    const versions = automation.scripts.versions('shop', 'nightly', { page: '2' });
    for await (const each of versions) expect(each.version).toBe('1.0.0');

    expect(requests.map(({ url }) => url?.split('?')[1])).toEqual(['page=2', 'page=3']);
  });

  it('requests no further page when the caller leaves the loop', async () => {
    const { automation, requests } = await setup(page('2', action('a')), page(null, action('b')));

    for await (const { name } of automation.actions.list()) {
      expect(name).toBe('a');
      break;
    }

    expect(requests).toHaveLength(1);
  });

  it('rejects with the error of a later page', async () => {
    const { automation } = await setup(
      page('2', action('a')),
      json(problem('INVALID_PARAMS', 400, false), 400),
    );
    const iterator = automation.actions.list()[Symbol.asyncIterator]();

    expect((await iterator.next()).value).toMatchObject({ name: 'a' });
    expect(await rejectionOf(iterator.next())).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('rejects with the reason of its aborted signal', async () => {
    const { automation, requests } = await setup(page('2', action('a')), () => {});
    const controller = new AbortController();
    const iterator = automation.actions
      .list({}, { signal: controller.signal })
      [Symbol.asyncIterator]();
    await iterator.next();

    const next = iterator.next();
    await expect.poll(() => requests.length).toBe(2);
    controller.abort(new Error('Shutting down'));

    await expect(next).rejects.toThrow('Shutting down');
    await requests[1]?.closed;
  });

  it('refuses unknown parameters, because ignoring them would list all items', async () => {
    const { automation, requests } = await setup(page(null));
    const params = { label: { team: 'billing' } } as object;

    const error = await rejectionOf(automation.workflows.list(params));

    expect(error.code).toBe('INVALID_OPTION');
    expect(error.message).toContain('workflows.list has no parameter `label`');
    expect(requests).toEqual([]);
  });
});

describe('a change of the automation client', () => {
  it('sends `ifMatch` as an entity tag in `If-Match`', async () => {
    const { automation, requests } = await setup(json(script));
    const options = { ifMatch: 'sha256:1' };

    await automation.scripts.update('shop', 'nightly', { description: 'x' }, options);
    await automation.scripts.updateDraft('shop', 'nightly', { source: 'x' }, options);
    await automation.scripts.setTag('shop', 'nightly', 'stable', { version: '1.0.0' }, options);
    await automation.scripts.deleteTag('shop', 'nightly', 'stable', options);
    await automation.scripts.archive('shop', 'nightly', options);
    await automation.scripts.restore('shop', 'nightly', options);

    expect(requests.map(({ headers }) => headers['if-match'])).toEqual(Array(6).fill('"sha256:1"'));
  });

  it('rejects with PRECONDITION_FAILED if the draft does not match `ifMatch`', async () => {
    const { automation } = await setup(json(problem('PRECONDITION_FAILED', 412, false), 412));

    const error = await rejectionOf(
      automation.scripts.publish('shop', 'nightly', { version: '1.0.0' }, { ifMatch: 'sha256:0' }),
    );

    expect(error).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
  });

  it('retries a creation with the same random idempotency key', async () => {
    const { automation, requests } = await setup(noResponse, unavailable, json(script));
    const settings = { namespace: 'shop', name: 'nightly', source: 'x' };

    await automation.scripts.create(settings);
    await automation.scripts.create(settings);

    const [first, second, third, fourth] = requests.map(
      ({ headers }) => headers['idempotency-key'],
    );
    expect(first).toMatch(/^[\w-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
  });

  it('sends the given idempotency key', async () => {
    const { automation, requests } = await setup(json(version));

    await automation.scripts.publish(
      'shop',
      'nightly',
      { version: '1.0.0' },
      { idempotencyKey: 'build-7', ifMatch: 'sha256:1' },
    );

    expect(requests[0]?.headers).toMatchObject({
      'idempotency-key': 'build-7',
      'if-match': '"sha256:1"',
    });
  });

  it('does not retry a conditional change of the draft whose response was lost', async () => {
    const { automation, requests } = await setup(noResponse);

    const error = await rejectionOf(
      automation.scripts.updateDraft('shop', 'nightly', { source: 'x' }, { ifMatch: 'sha256:1' }),
    );

    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    expect(requests).toHaveLength(1);
  });

  it('retries an unconditional change of the draft whose response was lost', async () => {
    const { automation, requests } = await setup(noResponse, json(script));

    await automation.scripts.updateDraft('shop', 'nightly', { source: 'x' });

    expect(requests).toHaveLength(2);
  });

  it.each<[string, (automation: AutomationClient) => Promise<unknown>, string]>([
    [
      'an unknown option',
      ({ scripts }) =>
        scripts.updateDraft('shop', 'nightly', { source: 'x' }, { if_match: 'x' } as object),
      '`if_match`',
    ],
    [
      'a condition that the method does not support',
      ({ actions }) => actions.archive('shop', 'refund', { ifMatch: 'sha256:1' } as object),
      '`ifMatch`',
    ],
    [
      'an empty digest',
      ({ scripts }) => scripts.archive('shop', 'nightly', { ifMatch: '' }),
      '`ifMatch`',
    ],
    [
      'an idempotency key that is not a valid header value',
      ({ scripts }) =>
        scripts.create(
          { namespace: 'shop', name: 'nightly', source: 'x' },
          { idempotencyKey: 'a\nb' },
        ),
      '`idempotencyKey`',
    ],
    ['an empty name', ({ scripts }) => scripts.archive('shop', ''), '/shop//archive'],
    ['the namespace `..`', ({ actions }) => actions.archive('..', 'x'), '/../x/archive'],
  ])('rejects %s without sending a request', async (_, call, named) => {
    const { automation, requests } = await setup(json(script));

    const error = await rejectionOf(call(automation));

    expect(error).toMatchObject({ code: 'INVALID_OPTION', retryable: false });
    expect(error.message).toContain(named);
    expect(requests).toEqual([]);
  });
});
