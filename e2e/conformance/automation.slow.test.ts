/** Rules 2.3, 2.4, 3.3 and 4.9: actions, scripts and workflows, and how they are restored. */
import { expect, it } from 'vitest';
import {
  apiKey,
  expectInvalid,
  expectProblem,
  startReferenceServer,
  utcTime,
} from './setup/server.ts';

const basePath = '/automation/v1';
const codeImplementation = (source = 'export default () => 1;') => ({
  kind: 'code',
  language: 'ts',
  source,
});

/** For each kind, the members that its creation requires besides the namespace and the name. */
const requiredMembers = {
  actions: { implementation: codeImplementation() },
  scripts: { source: 'export default async () => {};' },
  workflows: { source: 'steps:\n  - wait: 1m\n' },
};
type Kind = keyof typeof requiredMembers;
const kinds = Object.keys(requiredMembers) as Kind[];

async function start() {
  const { backend, ...server } = await startReferenceServer();
  const call = (method: string, path: string, body?: unknown) =>
    backend(method, basePath + path, body);
  return {
    ...server,
    backend,
    /** Sends a request to the automation service. */
    call,
    /** Creates an object of a kind, by default `shop/orders`. */
    create: (kind: Kind, fields: object = {}) =>
      call('POST', `/${kind}`, {
        namespace: 'shop',
        name: 'orders',
        ...requiredMembers[kind],
        ...fields,
      }),
    /** Reads the names of the objects in a list. */
    names: async (path: string): Promise<string[]> =>
      (await call('GET', path)).body.data.map(({ name }: { name: string }) => name),
  };
}

it('2.3 an action has all documented members', async () => {
  const { create } = await start();

  const { status, body } = await create('actions');

  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.stringMatching(/^act_/),
    namespace: 'shop',
    name: 'orders',
    description: '',
    labels: {},
    owner: expect.any(String),
    builtin: false,
    current_revision: expect.any(Object),
    stats_7d: { calls: 0, failures: 0, p50_ms: null },
    dependents: { scripts: 0, workflows: 0 },
    archived_at: null,
    created_at: utcTime,
    updated_at: utcTime,
  });
});

it('2.3 a revision has all documented members, and no others', async () => {
  const { create } = await start();

  const { body } = await create('actions');

  expect(body.current_revision).toEqual({
    id: expect.stringMatching(/^actr_/),
    digest: expect.any(String),
    input_schema: {},
    output_schema: {},
    errors: [],
    annotations: { read_only: false, idempotent: false },
    timeout_ms: 30_000,
    implementation: codeImplementation(),
    host: 'isolate',
    platform_apis: [],
    created_by: { type: 'api_key', id: expect.any(String) },
    message: null,
    created_at: utcTime,
  });
});

it('2.3 schemas, declared errors, annotations, timeout and message are stored unchanged', async () => {
  const { create } = await start();
  const contract = {
    input_schema: { type: 'object', properties: { id: { type: 'string' } } },
    output_schema: { type: 'string' },
    errors: [
      { type: 'timeout', description: 'Too slow' },
      { type: 'https://example.com/e', code: 'E1', description: 'Other' },
    ],
    annotations: { read_only: true, idempotent: true },
    timeout_ms: 5000,
    message: 'First',
  };

  const { body } = await create('actions', contract);

  expect(body.current_revision).toMatchObject(contract);
});

it('2.3 a declared error must have a type and a description', async () => {
  const { create } = await start();

  for (const [error, field] of [
    [{ description: 'x' }, 'type'],
    [{ type: 'timeout' }, 'description'],
    [{ type: 'not a type', description: 'x' }, 'type'],
    [{ type: '/relative', description: 'x' }, 'type'],
    [{ type: 'https://example.com/a b', description: 'x' }, 'type'],
  ] as const) {
    const reply = await create('actions', { errors: [error] });
    expectInvalid(reply, `/errors/0/${field}`, 'INVALID_PARAMS');
  }
});

it('2.3 an update creates a revision only if it changes the content', async () => {
  const { create, call } = await start();
  const { body: first } = await create('actions');
  const update = (fields: object) => call('POST', '/actions/shop/orders', fields);

  const same = await update({ implementation: codeImplementation(), timeout_ms: 30_000 });
  const other = await update({ implementation: codeImplementation('export default () => 2;') });

  expect(same.body.current_revision).toEqual(first.current_revision);
  expect(other.body.current_revision.id).not.toBe(first.current_revision.id);
  expect(other.body.current_revision.digest).not.toBe(first.current_revision.digest);
});

it('2.3, 7.4 actions in containers and shell scripts are refused with OPERATION_NOT_SUPPORTED', async () => {
  const { create } = await start();
  const container = { kind: 'container', image: 'node:20', command: ['node'] };
  const shell = { kind: 'shell', script: 'echo' };

  for (const implementation of [container, shell]) {
    expectProblem(await create('actions', { implementation }), 501, 'OPERATION_NOT_SUPPORTED');
  }
});

it('2.3 `ts` is the only language of code', async () => {
  const { create } = await start();

  const reply = await create('actions', {
    implementation: { ...codeImplementation(), language: 'py' },
  });

  expectInvalid(reply, '/implementation/language', 'INVALID_PARAMS');
});

it('2.3 `platform_apis` are derived from the code', async () => {
  const { create } = await start();

  const source = "export default () => fetch('/model/v1/models');";
  const { body } = await create('actions', { implementation: codeImplementation(source) });

  expect(body.current_revision.platform_apis).toEqual(['/model/v1']);
});

it('2.3 `dependents` count the scripts and workflows whose latest version or draft names the action', async () => {
  const { create, call } = await start();
  await create('actions');
  await create('scripts', { name: 'a', source: "run('shop/orders');" });
  // Only the latest version of `c` names the action, not its draft.
  await create('scripts', { name: 'c', source: "run('shop/orders');" });
  await call('POST', '/scripts/shop/c/versions', { version: '1.0.0' });
  await call('POST', '/scripts/shop/c', { source: 'export {};' });
  await create('workflows', { name: 'b', source: 'steps:\n  - action: shop/orders\n' });

  const { body } = await call('GET', '/actions/shop/orders');

  expect(body.dependents).toEqual({ scripts: 2, workflows: 1 });
});

it('2.3, 2.4 `labels[key]=value` filters the list', async () => {
  for (const kind of kinds) {
    const { create, names } = await start();
    await create(kind, { name: 'a', labels: { team: 'sales', tier: 'one' } });
    await create(kind, { name: 'b', labels: { team: 'support' } });
    const list = (query: Record<string, string>) => names(`/${kind}?${new URLSearchParams(query)}`);

    expect(await list({ 'labels[team]': 'sales' })).toEqual(['a']);
    expect(await list({ 'labels[team]': 'support', 'labels[tier]': 'one' })).toEqual([]);
  }
});

it('2.3, 2.4 keys of labels must not start with `praxis.`, and values are strings', async () => {
  const { create } = await start();

  for (const kind of kinds) {
    const reserved = await create(kind, { labels: { 'praxis.team': 'x' } });
    expectInvalid(reserved, '/labels', 'INVALID_PARAMS');
    const number = await create(kind, { labels: { team: 1 } });
    expectInvalid(number, '/labels/team', 'INVALID_PARAMS');
  }
});

it('2.3, 2.4, 8.4 a description has at most 1000 characters', async () => {
  const { create } = await start();

  for (const kind of kinds) {
    const tooLong = await create(kind, { description: 'x'.repeat(1001) });
    expectInvalid(tooLong, '/description', 'INVALID_PARAMS');
    const name = `full-${kind}`;
    expect((await create(kind, { name, description: 'x'.repeat(1000) })).status).toBe(200);
  }
});

it('2.3, 2.4, 8.4 names and namespaces have 1 to 64 letters, digits, dots, underscores and hyphens', async () => {
  const { create } = await start();

  for (const kind of kinds) {
    for (const field of ['name', 'namespace']) {
      for (const value of ['', '-a', '.a', 'a b', 'a/b', 'ä', 'x'.repeat(65)]) {
        const reply = await create(kind, { [field]: value });
        expectInvalid(reply, `/${field}`, 'INVALID_PARAMS');
      }
    }
    const name = `0.${kind}_-`.padEnd(64, 'x');
    expect((await create(kind, { name })).body.name).toBe(name);
  }
});

it('2.3, 7.4 the namespace `praxis` is read-only: 403 NAMESPACE_FORBIDDEN', async () => {
  const { create } = await start();

  for (const kind of kinds) {
    expectProblem(await create(kind, { namespace: 'praxis' }), 403, 'NAMESPACE_FORBIDDEN');
  }
});

it('2.3, 2.4, 3.3 the name of an archived object stays reserved', async () => {
  for (const kind of kinds) {
    const { create, call } = await start();
    await create(kind);
    await call('POST', `/${kind}/shop/orders/archive`, {});

    expectProblem(await create(kind), 409, 'NAME_TAKEN');
  }
});

it('8.4 the default of `timeout_ms` is 30000 for code', async () => {
  const { create } = await start();

  expect((await create('actions')).body.current_revision.timeout_ms).toBe(30_000);
});

it('2.4 a script and a workflow have all documented members', async () => {
  const { create } = await start();

  for (const [kind, prefix] of [
    ['scripts', /^scr_/],
    ['workflows', /^wf_/],
  ] as const) {
    const { body } = await create(kind, { name: kind });
    expect(body).toMatchObject({
      id: expect.stringMatching(prefix),
      kind: kind.slice(0, -1),
      namespace: 'shop',
      name: kind,
      description: '',
      labels: {},
      owner: expect.any(String),
      latest_version: null,
      dist_tags: {},
      draft_changed: true,
      latest_run: null,
      archived_at: null,
      created_at: utcTime,
      updated_at: utcTime,
    });
    expect(body.stats_7d).toEqual({ runs: 0, failures: 0 });
  }
});

it('2.4, 7.4 a script or workflow with the name of another in its namespace gets 409 NAME_TAKEN', async () => {
  const { create } = await start();
  await create('scripts');

  for (const kind of ['scripts', 'workflows'] as const) {
    expectProblem(await create(kind), 409, 'NAME_TAKEN');
    expect((await create(kind, { namespace: `of-${kind}` })).status).toBe(200);
  }
});

it('2.4 `latest_version` is the version that was published last, with its time', async () => {
  const { create, call, clock } = await start();
  await create('scripts');
  await call('POST', '/scripts/shop/orders/versions', { version: '1.0.0' });
  clock.advance(1000);
  await call('POST', '/scripts/shop/orders/versions', { version: '1.1.0' });

  const { body } = await call('GET', '/scripts/shop/orders');

  const published_at = new Date(clock.now()).toISOString();
  expect(body.latest_version).toEqual({ version: '1.1.0', published_at });
});

it('2.4 `dist_tags` map tags to exact versions', async () => {
  const { create, call } = await start();
  await create('workflows');
  const versions = '/workflows/shop/orders/versions';
  for (const version of ['1.0.0', '2.0.0-beta.1']) await call('POST', versions, { version });
  await call('POST', '/workflows/shop/orders/dist_tags/stable', { version: '1.0.0' });

  const { body } = await call('GET', '/workflows/shop/orders');

  expect(body.dist_tags).toEqual({ latest: '2.0.0-beta.1', stable: '1.0.0' });
  const unknown = { version: '9.9.9' };
  const refused = await call('POST', '/workflows/shop/orders/dist_tags/stable', unknown);
  expectProblem(refused, 400, 'INVALID_PARAMS');
});

it('2.4 `draft_changed` is true while the draft differs from the latest version', async () => {
  const { create, call } = await start();
  await create('scripts');
  const isChanged = async () => (await call('GET', '/scripts/shop/orders')).body.draft_changed;
  await call('POST', '/scripts/shop/orders/versions', { version: '1.0.0' });
  const afterPublishing = await isChanged();

  await call('POST', '/scripts/shop/orders', { source: 'export default 2;' });
  const afterChange = await isChanged();
  await call('POST', '/scripts/shop/orders', requiredMembers.scripts);

  expect([afterPublishing, afterChange, await isChanged()]).toEqual([false, true, false]);
});

it('3.3, 4.9 restoring returns the object, with `archived_at` null', async () => {
  for (const kind of kinds) {
    const { create, call } = await start();
    const { body: created } = await create(kind);
    const archived = await call('POST', `/${kind}/shop/orders/archive`, {});

    const restored = await call('POST', `/${kind}/shop/orders/restore`, {});

    expect(archived.body.archived_at).toEqual(utcTime);
    expect(restored.status).toBe(200);
    expect(restored.headers.get('content-type')).toMatch(/^application\/json/);
    expect(restored.body).toEqual({ ...created, updated_at: utcTime });
    expect(restored.body.kind).toBe(kind === 'actions' ? undefined : kind.slice(0, -1));
  }
});

it('1.5, 3.3 a restored action is in the default list again, with its revision', async () => {
  const { create, call, names } = await start();
  const { body: created } = await create('actions');
  await call('POST', '/actions/shop/orders/archive', {});
  const whileArchived = await names('/actions');

  const { body } = await call('POST', '/actions/shop/orders/restore', {});

  expect([whileArchived, await names('/actions')]).toEqual([[], ['orders']]);
  expect(body.current_revision).toEqual(created.current_revision);
});

it('1.5, 3.3 a restored script or workflow keeps its versions and tags', async () => {
  for (const kind of ['scripts', 'workflows'] as const) {
    const { create, call } = await start();
    await create(kind);
    await call('POST', `/${kind}/shop/orders/versions`, { version: '1.0.0' });
    const { body: before } = await call('GET', `/${kind}/shop/orders`);
    await call('POST', `/${kind}/shop/orders/archive`, {});

    const { body } = await call('POST', `/${kind}/shop/orders/restore`, {});

    const { latest_version, dist_tags } = before;
    expect(body).toMatchObject({ name: 'orders', latest_version, dist_tags });
    const versions = await call('GET', `/${kind}/shop/orders/versions`);
    expect(versions.body.data).toMatchObject([{ version: '1.0.0' }]);
  }
});

it('4.9 the namespace and the name in the path are converted to lower case', async () => {
  for (const kind of kinds) {
    const { create, call } = await start();
    await create(kind);

    expect((await call('POST', `/${kind}/SHOP/Orders/restore`, {})).status).toBe(200);
    expect((await create(kind, { name: 'UPPER' })).body.name).toBe('upper');
  }
});

it('4.9 a malformed namespace or name in the path gets 400 INVALID_PARAMS', async () => {
  const { call } = await start();

  for (const kind of kinds) {
    const namespace = await call('POST', `/${kind}/-shop/orders/restore`, {});
    expectInvalid(namespace, '/path/ns', 'INVALID_PARAMS');
    const name = await call('POST', `/${kind}/shop/${'x'.repeat(65)}/restore`, {});
    expectInvalid(name, '/path/name', 'INVALID_PARAMS');
  }
});

it('4.9 the body of a restore request must be an empty object: another body gets 400 INVALID_PARAMS', async () => {
  for (const kind of kinds) {
    const { create, call } = await start();
    await create(kind);
    const path = `/${kind}/shop/orders/restore`;

    expect((await call('POST', path, {})).status).toBe(200);
    for (const body of [{ force: true }, [], '{']) {
      expectProblem(await call('POST', path, body), 400, 'INVALID_PARAMS');
    }
  }
});

it('4.9 restoring in a read-only namespace gets 403 NAMESPACE_FORBIDDEN', async () => {
  const { call } = await start();

  for (const kind of kinds) {
    const reply = await call('POST', `/${kind}/praxis/orders/restore`, {});
    expectProblem(reply, 403, 'NAMESPACE_FORBIDDEN');
  }
});

it('4.9, 7.4 a missing action gets 404 ACTION_NOT_FOUND', async () => {
  const { call } = await start();

  const reply = await call('POST', '/actions/shop/none/restore', {});

  expectProblem(reply, 404, 'ACTION_NOT_FOUND');
});

it('4.9 the 404 for a missing action names the path of a script or workflow of the same name', async () => {
  for (const kind of ['scripts', 'workflows'] as const) {
    const { create, call } = await start();
    await create(kind);

    const reply = await call('POST', '/actions/shop/orders/restore', {});

    expectProblem(reply, 404, 'ACTION_NOT_FOUND');
    expect(reply.body.detail).toContain(`/automation/v1/${kind}/shop/orders`);
  }
});

it('4.9, 7.4 a missing script or workflow, or the other kind of the same name, gets 404 TARGET_NOT_FOUND', async () => {
  const { create, call } = await start();
  await create('scripts');

  for (const path of ['/scripts/shop/none', '/workflows/shop/none', '/workflows/shop/orders']) {
    expectProblem(await call('POST', `${path}/restore`, {}), 404, 'TARGET_NOT_FOUND');
  }
});

it('4.9, 7.4 an `If-Match` digest that does not match gets 412 PRECONDITION_FAILED, and changes nothing', async () => {
  for (const kind of ['scripts', 'workflows'] as const) {
    const { create, call, backend, as } = await start();
    const { body: created } = await create(kind);
    await call('POST', `/${kind}/shop/orders/archive`, {});
    const path = `${basePath}/${kind}/shop/orders`;
    const restore = (digest: string) =>
      as(apiKey, { 'if-match': `"${digest}"` })('POST', `${path}/restore`, {});

    expectProblem(await restore('other'), 412, 'PRECONDITION_FAILED');
    expect((await backend('GET', path)).body.archived_at).toEqual(utcTime);
    expect((await restore(created.draft_digest)).status).toBe(200);
  }
});

it('4.9 `If-Match` is ignored when an action is restored', async () => {
  const { create, call, as } = await start();
  await create('actions');
  await call('POST', '/actions/shop/orders/archive', {});

  const path = `${basePath}/actions/shop/orders/restore`;
  const reply = await as(apiKey, { 'if-match': '"other"' })('POST', path, {});

  expect(reply.status).toBe(200);
});

it('4.9 errors are problems with `X-Request-Id`, and a 429 has `Retry-After`', async () => {
  const limits = { api_key: { requests_per_second: 1, concurrent: 10 } };
  const { backend } = await startReferenceServer({ config: { limits } });
  const first = await backend('POST', `${basePath}/actions/shop/none/restore`, {});

  const limited = await backend('POST', `${basePath}/actions/shop/none/restore`, {});

  expectProblem(limited, 429, 'RATE_LIMITED');
  expect(limited.headers.get('retry-after')).toBe('1');
  for (const { headers } of [first, limited]) {
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('x-request-id')).toEqual(expect.any(String));
  }
});

it('4.9 an API key is required', async () => {
  const { request } = await startReferenceServer();

  for (const kind of kinds) {
    const reply = await request('POST', `${basePath}/${kind}/shop/orders/restore`, { body: {} });
    expectProblem(reply, 401, 'AUTHENTICATION_ERROR');
  }
});
