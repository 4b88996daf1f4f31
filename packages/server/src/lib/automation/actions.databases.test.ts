import { Action, ActionRevision } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../auth/api-keys.ts';
import { encodeCursor } from '../http/paging.ts';
import { systemRandom } from '../random.ts';
import { code, setupAutomation } from '../testing/setup-automation.ts';
import type { SetupOptions } from '../testing/setup-server.ts';

/** A platform with the action `tools/add`. */
async function setup(options: SetupOptions = {}) {
  const server = await setupAutomation(options);
  const create = (settings: object) =>
    server.call('POST', '/actions', {
      namespace: 'tools',
      name: 'add',
      implementation: code(),
      ...settings,
    });
  const created = await create({});
  const change = (settings: object) => server.call('POST', '/actions/tools/add', settings);
  const revisions = async (query = '') =>
    (await server.call('GET', `/actions/tools/add/revisions${query}`)).body;
  return { ...server, create, created, change, revisions };
}

describe('2.3: creating an action', () => {
  it('returns the action with its defaults', async () => {
    const { created, clock } = await setup();
    const now = new Date(clock.now()).toISOString();

    expect(created.status).toBe(200);
    expect(Action.parse(created.body)).toEqual({
      id: expect.stringMatching(/^act_/),
      namespace: 'tools',
      name: 'add',
      description: '',
      labels: {},
      owner: 'default',
      builtin: false,
      current_revision: {
        id: expect.stringMatching(/^actr_/),
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        input_schema: {},
        output_schema: {},
        errors: [],
        annotations: { read_only: false, idempotent: false },
        timeout_ms: 30_000,
        implementation: code(),
        host: 'isolate',
        platform_apis: [],
        created_by: { type: 'api_key', id: expect.any(String) },
        message: null,
        created_at: now,
      },
      stats_7d: { calls: 0, failures: 0, p50_ms: null },
      dependents: { scripts: 0, workflows: 0 },
      archived_at: null,
      created_at: now,
      updated_at: now,
    });
  });

  it('stores all given fields, and sets the owner to the tenant', async () => {
    const { create, call } = await setup({ config: { tenant: 'acme' } });
    const contract = {
      input_schema: { type: 'object', properties: { a: { type: 'number' } } },
      output_schema: { type: 'number' },
      errors: [
        { type: 'validation', description: 'Not a number.' },
        { type: 'https://errors.example/limit', code: 'LIMIT', description: 'Too large.' },
      ],
      annotations: { read_only: true, idempotent: true },
      timeout_ms: 100,
    };
    const settings = { description: 'Subtracts.', labels: { team: 'math' }, message: 'First.' };

    const { body } = await create({ name: 'subtract', ...settings, ...contract });

    expect(body).toMatchObject({
      owner: 'acme',
      description: 'Subtracts.',
      labels: { team: 'math' },
      current_revision: { ...contract, message: 'First.' },
    });
    expect((await call('GET', '/actions/tools/subtract')).body).toEqual(body);
  });

  it('sets omitted annotations to false, and an omitted `language` to `ts`', async () => {
    const { create } = await setup();
    const { language: _, ...implementation } = code();

    const { body } = await create({ name: 'b', annotations: { read_only: true }, implementation });

    expect(body.current_revision).toMatchObject({
      annotations: { read_only: true, idempotent: false },
      implementation: { language: 'ts' },
    });
  });

  it('lists the platform APIs whose paths occur in string literals of the code', async () => {
    const { create } = await setup();
    const source = `
      // fetch('/sandbox/v1/in-a-comment')
      await fetch(\`\${base}/model/v1/chat/completions\`);
      await fetch("https://chat.example/database/v1/databases/" + id);
      await fetch('/model/v1/models');
      await fetch('/other/v1/x');`;

    const { body } = await create({ name: 'b', implementation: code(source) });

    expect(body.current_revision.platform_apis).toEqual(['/database/v1', '/model/v1']);
  });

  it('stores namespace and name in lower case, so that reads ignore case', async () => {
    const { create, call } = await setup();

    const { body } = await create({ namespace: 'Tools', name: 'Multiply.V2' });

    expect(body).toMatchObject({ namespace: 'tools', name: 'multiply.v2' });
    expect((await call('GET', '/actions/TOOLS/multiply.V2')).body.id).toBe(body.id);
  });

  it.each([
    [{ namespace: undefined }, '/namespace', 'is required'],
    [{ name: '-a' }, '/name', 'must have 1 to 64'],
    [{ name: 'a b' }, '/name', 'must have 1 to 64'],
    [{ name: 'x'.repeat(65) }, '/name', 'must have 1 to 64'],
    [{ description: 'x'.repeat(1001) }, '/description', 'at most 1000'],
    [{ labels: { 'praxis.team': 'a' } }, '/labels', 'must not start with `praxis.`'],
    [{ labels: { team: 1 } }, '/labels/team', 'must be a string'],
    [{ labels: { '': 'a' } }, '/labels', '1 to 128'],
    [{ labels: { a: 'x'.repeat(513) } }, '/labels', 'at most 512'],
    [{ input_schema: [] }, '/input_schema', 'must be an object'],
    [{ errors: [{ type: 'timeout' }] }, '/errors/0/description', 'is required'],
    [{ annotations: { destructive: true } }, '/annotations', 'has no field `destructive`'],
    [{ timeout_ms: 0 }, '/timeout_ms', 'at least 1'],
    [{ timeout_ms: 86_400_001 }, '/timeout_ms', 'at most 86400000'],
    [{ implementation: undefined }, '/implementation', 'is required'],
    [{ implementation: code('') }, '/implementation/source', 'must not be empty'],
    [{ implementation: { ...code(), language: 'py' } }, '/implementation/language', '"ts"'],
    [{ implementation: { kind: 'wasm' } }, '/implementation/kind', 'is not known here'],
    [{ message: 'x'.repeat(1001) }, '/message', 'at most 1000'],
    [{ owner: 'me' }, '', 'has no field `owner`'],
  ])('refuses an invalid field with INVALID_PARAMS: $1 $2', async (settings, pointer, message) => {
    const { create, names } = await setup();

    const { status, body } = await create({ name: 'b', ...settings });

    expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(body.errors).toEqual([{ pointer, message: expect.stringContaining(message) }]);
    expect(await names('/actions')).toEqual(['add']);
  });

  it('accepts a name of 64 characters and a description of 1,000 characters', async () => {
    const { create } = await setup();

    const { status } = await create({ name: 'x'.repeat(64), description: 'x'.repeat(1000) });

    expect(status).toBe(200);
  });

  it.each([
    { kind: 'container', image: 'alpine', command: ['ls'] },
    { kind: 'shell', script: 'ls' },
  ])('refuses the implementation %j with OPERATION_NOT_SUPPORTED', async (implementation) => {
    const { create, change, names } = await setup();

    const refused = [await create({ name: 'b', implementation }), await change({ implementation })];

    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([501, 'OPERATION_NOT_SUPPORTED']);
    }
    expect(await names('/actions')).toEqual(['add']);
  });

  it('refuses the name of another action, even of an archived one', async () => {
    const { create, call } = await setup();

    const taken = await create({});
    await call('POST', '/actions/tools/add/archive', {});
    const archived = await create({ name: 'ADD' });

    expect([taken.status, taken.body.code]).toEqual([409, 'NAME_TAKEN']);
    expect([archived.status, archived.body.code]).toEqual([409, 'NAME_TAKEN']);
    expect(archived.body.detail).toContain('restore');
    expect((await create({ namespace: 'other' })).status).toBe(200);
  });

  it('accepts the name of a script', async () => {
    const { create, call } = await setup();
    await call('POST', '/scripts', { namespace: 'tools', name: 'sync', source: '1' });

    expect((await create({ name: 'sync' })).status).toBe(200);
  });

  it('succeeds for exactly one of several simultaneous requests with the same name', async () => {
    const { create } = await setup();

    const all = await Promise.all(['a', 'b', 'c'].map((message) => create({ name: 'b', message })));

    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('returns the first response when repeated with its Idempotency-Key, and refuses another body', async () => {
    const { call, names } = await setup();
    const key = { 'idempotency-key': 'one' };
    const settings = { namespace: 'tools', name: 'b', implementation: code() };

    const first = await call('POST', '/actions', settings, key);
    const repeated = await call('POST', '/actions', settings, key);
    const other = await call('POST', '/actions', { ...settings, name: 'c' }, key);

    expect(repeated).toMatchObject({ status: 200, body: first.body });
    expect([other.status, other.body.code]).toEqual([409, 'CONFLICT']);
    expect((await names('/actions')).toSorted()).toEqual(['add', 'b']);
  });

  it('returns the first response when repeated with another API key, such as after a rotation', async () => {
    const { call, names, store, clock } = await setup();
    const settings = { namespace: 'tools', name: 'b', implementation: code() };
    const headers = { 'idempotency-key': 'one' };
    const rotated = await createApiKey({ store, clock, random: systemRandom }, null);

    const first = await call('POST', '/actions', settings, headers);
    const repeated = await call('POST', '/actions', settings, {
      ...headers,
      authorization: `Bearer ${rotated}`,
    });

    expect(repeated).toMatchObject({ status: 200, body: first.body });
    expect((await names('/actions')).toSorted()).toEqual(['add', 'b']);
  });

  it('refuses code of more than `limits.request.automation_bytes`, as does changing an action', async () => {
    const limits = { request: { automation_bytes: 1024 } };
    const { create, change } = await setup({ config: { limits } });
    const implementation = code('x'.repeat(1024));

    for (const { status, body } of [
      await create({ name: 'b', implementation }),
      await change({ implementation }),
    ]) {
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(body.detail).toContain('must have at most 1024 bytes');
    }
  });
});

describe('the namespace praxis', () => {
  it.each([
    ['/actions', { namespace: 'Praxis', name: 'a', implementation: code() }],
    ['/actions/praxis/add', { description: 'Mine.' }],
    ['/actions/praxis/add/archive', {}],
    ['/actions/praxis/add/restore', {}],
    ['/scripts', { namespace: 'praxis', name: 'a', source: '1' }],
    ['/scripts/praxis/a', { description: 'Mine.' }],
    ['/scripts/praxis/a/versions', { version: '1.0.0' }],
    ['/scripts/praxis/a/dist_tags/beta', { version: '1.0.0' }],
    ['/workflows', { namespace: 'praxis', name: 'a', source: 'do: []' }],
    ['/workflows/praxis/a/archive', {}],
    ['/workflows/praxis/a/restore', {}],
  ])('4.9: refuses POST %s with NAMESPACE_FORBIDDEN', async (path, body) => {
    const { call } = await setup();

    const refused = await call('POST', path, body);

    expect([refused.status, refused.body.code]).toEqual([403, 'NAMESPACE_FORBIDDEN']);
  });

  it('can be listed, and has no actions', async () => {
    const { call, names } = await setup();

    expect(await names('/actions?namespace=praxis')).toEqual([]);
    expect((await call('GET', '/actions/praxis/add')).body.code).toBe('ACTION_NOT_FOUND');
  });
});

describe('changing an action', () => {
  it('creates a revision if the implementation changes', async () => {
    const { created, change, clock, revisions } = await setup();
    const before = created.body;
    clock.advance(1000);

    const { body } = await change({ implementation: code('2'), message: 'Faster.' });

    expect(body).toMatchObject({
      id: before.id,
      created_at: before.created_at,
      updated_at: new Date(clock.now()).toISOString(),
      current_revision: { implementation: { source: '2' }, message: 'Faster.', timeout_ms: 30_000 },
    });
    expect(body.current_revision.digest).not.toBe(before.current_revision.digest);
    const { data } = await revisions();
    expect(data).toEqual([body.current_revision, before.current_revision]);
  });

  it('keeps omitted fields and omitted annotations', async () => {
    const { change } = await setup();
    await change({ annotations: { idempotent: true }, timeout_ms: 5, description: 'Adds.' });

    const { body } = await change({ annotations: { read_only: true }, labels: { a: 'b' } });

    expect(body).toMatchObject({
      description: 'Adds.',
      labels: { a: 'b' },
      current_revision: { annotations: { read_only: true, idempotent: true }, timeout_ms: 5 },
    });
  });

  it.each([
    { implementation: code(), message: 'Again.' },
    { timeout_ms: 30_000, annotations: {} },
    { input_schema: {} },
  ])('creates no revision if the content is identical: %j', async (settings) => {
    const { created, change, clock, revisions } = await setup();
    clock.advance(1000);

    const { body } = await change(settings);

    expect(body).toEqual(created.body);
    expect((await revisions()).data).toHaveLength(1);
  });

  it('creates no revision if only the order of members in a schema changes', async () => {
    const { change, revisions } = await setup();
    await change({ input_schema: { a: 1, b: { c: 1, d: 2 } } });

    await change({ input_schema: { b: { d: 2, c: 1 }, a: 1 } });

    expect((await revisions()).data).toHaveLength(2);
  });

  it('creates no revision if only description and labels change, but sets `updated_at`', async () => {
    const { created, change, clock } = await setup();
    clock.advance(1000);

    const { body } = await change({ description: 'Adds.', labels: { team: 'math' } });

    expect(body.current_revision).toEqual(created.body.current_revision);
    expect(body.updated_at).toBe(new Date(clock.now()).toISOString());
  });

  it('creates a revision if the content of an earlier one is sent again', async () => {
    const { created, change, revisions } = await setup();
    await change({ implementation: code('2') });

    const { body } = await change({ implementation: code() });

    expect(body.current_revision.digest).toBe(created.body.current_revision.digest);
    expect((await revisions()).data).toHaveLength(3);
  });

  it('is refused while the action is archived', async () => {
    const { call, change } = await setup();
    await call('POST', '/actions/tools/add/archive', {});

    const { status, body } = await change({ description: 'x' });

    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.detail).toContain('Restore it first');
  });

  it('applies all of several simultaneous requests', async () => {
    const { change, call, revisions } = await setup();

    await Promise.all([
      ...['a', 'b', 'c'].map((source) => change({ implementation: code(source) })),
      change({ description: 'Adds.' }),
    ]);

    expect((await revisions()).data).toHaveLength(4);
    expect((await call('GET', '/actions/tools/add')).body.description).toBe('Adds.');
  });
});

describe('the revisions of an action', () => {
  it('are listed in pages, newest first, and can be read by id', async () => {
    const { change, revisions, call } = await setup();
    for (const source of ['b', 'c']) await change({ implementation: code(source) });

    const first = await revisions('?limit=2');
    const second = await revisions(`?limit=2&page=${first.next_cursor}`);

    const sources = [...first.data, ...second.data].map(
      (each) => ActionRevision.parse(each).implementation,
    );
    expect(sources).toEqual([code('c'), code('b'), code()]);
    expect(second.next_cursor).toBeNull();
    const one = await call('GET', `/actions/tools/add/revisions/${first.data[1].id}`);
    expect(one.body).toEqual(first.data[1]);
  });

  it('are all listed after a position beyond the largest revision number', async () => {
    const { call, change, revisions } = await setup();
    await change({ implementation: code('b') });
    const { id } = (await call('GET', '/actions/tools/add')).body;
    const position = { id: 'actr_x', at: 999_999_999_999_999 };

    const { data } = await revisions(`?page=${encodeCursor(id, position)}`);

    expect(data).toEqual((await revisions()).data);
    expect(data).toHaveLength(2);
  });

  it('are not found under another action', async () => {
    const { create, call } = await setup();
    const { body } = await create({ name: 'b' });

    const other = await call('GET', `/actions/tools/add/revisions/${body.current_revision.id}`);

    expect([other.status, other.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('3.3: an action', () => {
  it('is not in the default list while archived, and keeps its revision', async () => {
    const { call, names, created, clock } = await setup();
    clock.advance(1000);

    const archived = await call('POST', '/actions/tools/add/archive', {});
    const hidden = await names('/actions');
    const all = await names('/actions?include_archived=true');
    const read = await call('GET', '/actions/tools/add');
    const restored = await call('POST', '/actions/tools/add/restore', {});

    expect(archived.body.archived_at).toBe(new Date(clock.now()).toISOString());
    expect([hidden, all]).toEqual([[], ['add']]);
    expect(read.body).toEqual(archived.body);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({
      id: created.body.id,
      archived_at: null,
      current_revision: created.body.current_revision,
    });
    expect(await names('/actions')).toEqual(['add']);
  });

  it('does not change when it is archived or restored twice', async () => {
    const { call, created, clock } = await setup();
    const restored = await call('POST', '/actions/tools/add/restore', {});
    const archived = await call('POST', '/actions/tools/add/archive', {});
    clock.advance(1000);

    expect(restored.body).toEqual(created.body);
    expect((await call('POST', '/actions/tools/add/archive', {})).body).toEqual(archived.body);
  });
});

describe('4.9: POST /automation/v1/actions/{ns}/{name}/restore', () => {
  it('responds to a missing action with ACTION_NOT_FOUND and a request id', async () => {
    const { call } = await setup();

    const { status, body, headers } = await call('POST', '/actions/tools/none/restore', {});

    expect([status, body.code]).toEqual([404, 'ACTION_NOT_FOUND']);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it.each([
    ['script', '1'],
    ['workflow', 'do: []'],
  ])('responds with the path of the %s that has this name', async (kind, source) => {
    const { call } = await setup();
    await call('POST', `/${kind}s`, { namespace: 'tools', name: 'sync', source });

    const { status, body } = await call('POST', '/actions/tools/sync/restore', {});

    expect([status, body.code]).toEqual([404, 'ACTION_NOT_FOUND']);
    expect(body.detail).toContain(`\`/automation/v1/${kind}s/tools/sync\``);
  });

  it.each([
    ['/actions/-a/add/restore', {}, '/path/ns'],
    ['/actions/tools/a%20b/restore', {}, '/path/name'],
    [`/actions/tools/${'x'.repeat(65)}/restore`, {}, '/path/name'],
    ['/actions/tools/add/restore', { force: true }, ''],
  ])(
    'responds to an invalid path or body with INVALID_PARAMS: $0 $1',
    async (path, settings, pointer) => {
      const { call } = await setup();

      const { status, body } = await call('POST', path, settings);

      expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(body.errors).toMatchObject([{ pointer }]);
    },
  );

  it('accepts a request without a body', async () => {
    const { call } = await setup();

    expect((await call('POST', '/actions/tools/add/restore')).status).toBe(200);
  });

  it('responds to an embed token with 404', async () => {
    const { issue, requestAsUser } = await setup();
    const { token } = await issue();

    const response = await requestAsUser(token, 'POST', '/automation/v1/actions/tools/add/restore');

    expect(response.status).toBe(404);
    expect((await response.json()).code).toBe('NOT_FOUND');
  });

  it('ignores If-Match', async () => {
    const { call } = await setup();

    const { status } = await call('POST', '/actions/tools/add/restore', {}, { 'if-match': '"x"' });

    expect(status).toBe(200);
  });

  it('requires an API key', async () => {
    const { app } = await setup();

    const response = await app.request('/automation/v1/actions/tools/add/restore', {
      method: 'POST',
    });

    expect(response.status).toBe(401);
  });
});

describe('the list of actions', () => {
  it('is paged, newest first', async () => {
    const { create, call, clock } = await setup();
    for (const name of ['b', 'c']) {
      clock.advance(1);
      await create({ name });
    }

    const first = (await call('GET', '/actions?limit=2')).body;
    const second = (await call('GET', `/actions?limit=2&page=${first.next_cursor}`)).body;

    const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect([namesOf(first), namesOf(second)]).toEqual([['c', 'b'], ['add']]);
    expect(second.next_cursor).toBeNull();
  });

  it('can be filtered by namespace, ignoring case', async () => {
    const { create, names } = await setup();
    await create({ namespace: 'other', name: 'b' });

    expect(await names('/actions?namespace=OTHER')).toEqual(['b']);
  });

  it('can be filtered by several labels, all of which must match', async () => {
    const { create, change, names } = await setup();
    await create({ name: 'b', labels: { team: 'math', 'a]b': 'x' } });
    await create({ name: 'c', labels: { team: 'math', env: 'test' } });
    const list = async (query: string) => (await names(`/actions?${query}`)).toSorted();

    expect(await list('labels[team]=math')).toEqual(['b', 'c']);
    expect(await list('labels[team]=math&labels[env]=test')).toEqual(['c']);
    expect(await list('labels[team]=Math')).toEqual([]);
    expect(await list('labels%5Ba%5Db%5D=x')).toEqual(['b']);
    await change({ labels: { team: 'math' } });
    expect(await list('labels[team]=math')).toEqual(['add', 'b', 'c']);
    await change({ labels: {} });
    expect(await list('labels[team]=math')).toEqual(['b', 'c']);
  });

  it.each([
    ['labels=math', '/query/labels'],
    ['labels=math&labels[team]=a', '/query/labels'],
    ['labels[]=math', '/query/labels'],
    ['labels[team]=a&labels[team]=b', '/query/labels/team'],
    [Array.from({ length: 17 }, (_, n) => `labels[k${n}]=x`).join('&'), '/query/labels'],
    ['namespace=-', '/query/namespace'],
    ['include_archived=yes', '/query/include_archived'],
    ['limit=101', '/query/limit'],
    ['page=x', '/query/page'],
  ])('refuses the invalid query $0 with INVALID_PARAMS', async (query, pointer) => {
    const { call } = await setup();

    const { status, body } = await call('GET', `/actions?${query}`);

    expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it('has a label filter that the API description declares as a deepObject', async () => {
    const { app } = await setup();

    const { paths } = await (await app.request('/meta/v1/openapi.json')).json();

    const { parameters } = paths['/automation/v1/actions'].get;
    expect(parameters.find(({ name }: { name: string }) => name === 'labels')).toMatchObject({
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    });
  });
});

describe('2.3: `dependents`', () => {
  it('counts scripts and workflows whose latest version or draft refers to the action', async () => {
    const { call } = await setup();
    const counts = async () => (await call('GET', '/actions/tools/add')).body.dependents;
    const script = {
      namespace: 'jobs',
      name: 's',
      source: "await run('tools/add'); run('tools/add')",
    };
    const workflow = {
      namespace: 'jobs',
      name: 'w',
      source: 'do:\n  - sum:\n      call: tools/add\n',
    };

    await call('POST', '/scripts', script);
    await call('POST', '/workflows', workflow);
    expect(await counts()).toEqual({ scripts: 1, workflows: 1 });

    await call('POST', '/scripts/jobs/s/versions', { version: '1.0.0' });
    await call('POST', '/scripts/jobs/s', { source: '1' });
    await call('POST', '/workflows/jobs/w', { source: 'do: []' });
    expect(await counts()).toEqual({ scripts: 1, workflows: 0 });

    await call('POST', '/scripts/jobs/s/versions', { version: '2.0.0' });
    expect(await counts()).toEqual({ scripts: 0, workflows: 0 });
  });

  it('does not count archived scripts', async () => {
    const { call } = await setup();
    await call('POST', '/scripts', { namespace: 'jobs', name: 's', source: '"Tools/Add"' });
    await call('POST', '/scripts/jobs/s/archive', {});

    const { body } = await call('GET', '/actions/tools/add');

    expect(body.dependents).toEqual({ scripts: 0, workflows: 0 });
  });

  it('ignores the name in comments, in parts of a string, and in keys of YAML', async () => {
    const { call } = await setup();
    const source = "// 'tools/add'\n/* 'tools/add' */ 'tools/adder'; 'x tools/add'; tools/add";
    await call('POST', '/scripts', { namespace: 'jobs', name: 's', source });
    const yaml = '# tools/add\ntools/add: 1\nuse: x tools/add\n';
    await call('POST', '/workflows', { namespace: 'jobs', name: 'w', source: yaml });

    const { body } = await call('GET', '/actions/tools/add');

    expect(body.dependents).toEqual({ scripts: 0, workflows: 0 });
  });
});
