import {
  Orchestration,
  OrchestrationDraft,
  OrchestrationVersion,
  OrchestrationVersionPage,
} from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import { setupAutomation } from '../testing/setup-automation.ts';
import type { SetupOptions } from '../testing/setup-server.ts';
import { referencesOfWorkflow } from './source.ts';

const kinds = [
  { kind: 'script', prefix: 'scr_', source: 'export default () => 1;', changed: 'export {};' },
  { kind: 'workflow', prefix: 'wf_', source: 'do:\n  - a:\n      wait: 1\n', changed: 'do: []' },
];

/** A platform with `jobs/sync`, a script or workflow. */
async function setup({ kind, source }: { kind: string; source: string }, options?: SetupOptions) {
  const server = await setupAutomation(options);
  const { call } = server;
  const path = `/${kind}s/jobs/sync`;
  const create = (settings: object = {}) =>
    call('POST', `/${kind}s`, { namespace: 'jobs', name: 'sync', source, ...settings });
  const created = await create();
  const read = async () => (await call('GET', path)).body;
  const change = (body: object, headers?: Record<string, string>) =>
    call('POST', path, body, headers);
  const publish = (version: string, headers?: Record<string, string>) =>
    call('POST', `${path}/versions`, { version }, headers);
  return { ...server, path, create, created, read, change, publish };
}

describe.each(kinds.map((target) => [target.kind, target] as const))('2.4: a %s', (_, target) => {
  const { kind, prefix, source, changed } = target;
  const other = kind === 'script' ? 'workflow' : 'script';
  const otherSource = kind === 'script' ? 'do: []' : '1';

  it('is created with a draft', async () => {
    const { created, call, path, clock } = await setup(target);
    const now = new Date(clock.now()).toISOString();

    expect(created.status).toBe(200);
    expect(Orchestration.parse(created.body)).toEqual({
      id: expect.stringMatching(new RegExp(`^${prefix}`)),
      kind,
      namespace: 'jobs',
      name: 'sync',
      description: '',
      labels: {},
      owner: 'default',
      latest_version: null,
      dist_tags: {},
      draft_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      draft_changed: true,
      latest_run: null,
      stats_7d: { runs: 0, failures: 0 },
      archived_at: null,
      created_at: now,
      updated_at: now,
    });
    expect((await call('GET', path)).body).toEqual(created.body);
    const draft = OrchestrationDraft.parse((await call('GET', `${path}/draft`)).body);
    expect(draft).toEqual({ source, digest: created.body.draft_digest });
  });

  it.each([
    [{ source: undefined }, '/source'],
    [{ source: '' }, '/source'],
    [{ name: '.a' }, '/name'],
    [{ description: 'x'.repeat(1001) }, '/description'],
    [{ labels: { 'praxis.a': 'b' } }, '/labels'],
    [{ kind: 'script' }, ''],
  ])('is refused if a field is invalid: $1', async (settings, pointer) => {
    const { create, names } = await setup(target);

    const { status, body } = await create({ name: 'b', ...settings });

    expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(body.errors).toMatchObject([{ pointer }]);
    expect(await names(`/${kind}s`)).toEqual(['sync']);
  });

  it('is refused if its source exceeds `limits.request.automation_bytes`', async () => {
    const limits = { request: { automation_bytes: 1024 } };
    const { create, change } = await setup(target, { config: { limits } });
    const long = `${changed}\n${'#'.repeat(1024)}`;

    for (const { status, body } of [
      await create({ name: 'b', source: long }),
      await change({ source: long }),
    ]) {
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(body.errors).toMatchObject([{ pointer: '/source' }]);
      expect(body.detail).toContain('at most 1024 bytes');
    }
  });

  it('has a unique name among scripts and workflows, even while archived', async () => {
    const { create, call, path } = await setup(target);
    const createOther = () =>
      call('POST', `/${other}s`, { namespace: 'jobs', name: 'SYNC', source: otherSource });

    const taken = [await create(), await createOther()];
    await call('POST', `${path}/archive`, {});
    const archived = [await create(), await createOther()];

    for (const { status, body } of [...taken, ...archived]) {
      expect([status, body.code]).toEqual([409, 'NAME_TAKEN']);
      expect(body.detail).toContain(`a ${kind}`);
    }
  });

  it('is created once for each Idempotency-Key', async () => {
    const { call, names } = await setup(target);
    const key = { 'idempotency-key': 'one' };
    const settings = { namespace: 'jobs', name: 'b', source };

    const [first, repeated] = await Promise.all([
      call('POST', `/${kind}s`, settings, key),
      call('POST', `/${kind}s`, settings, key),
    ]);

    expect([first.status, repeated.status]).toEqual([200, 200]);
    expect(repeated.body).toEqual(first.body);
    expect(await names(`/${kind}s`)).toHaveLength(2);
  });

  it('can be listed by kind, namespace and labels, and while archived only on request', async () => {
    const { create, call, names, change, clock } = await setup(target);
    clock.advance(1);
    await create({ name: 'b', namespace: 'other', labels: { team: 'a' } });
    await call('POST', `/${other}s`, { namespace: 'jobs', name: 'c', source: otherSource });
    await change({ labels: { team: 'b' } });
    await call('POST', `/${kind}s/other/b/archive`, {});

    expect(await names(`/${kind}s`)).toEqual(['sync']);
    expect(await names(`/${kind}s?include_archived=true`)).toEqual(['b', 'sync']);
    expect(await names(`/${kind}s?include_archived=true&labels[team]=a`)).toEqual(['b']);
    expect(await names(`/${kind}s?namespace=other`)).toEqual([]);
  });

  describe('a change', () => {
    it('replaces the description, labels and source that it contains, and keeps omitted fields', async () => {
      const { created, change, clock } = await setup(target);
      clock.advance(1000);

      const first = await change({ description: 'Syncs.', labels: { team: 'a' } });
      const second = await change({ source: changed });

      expect(first.body).toEqual({
        ...created.body,
        description: 'Syncs.',
        labels: { team: 'a' },
        updated_at: new Date(clock.now()).toISOString(),
      });
      expect(second.body).toMatchObject({ description: 'Syncs.', labels: { team: 'a' } });
      expect(second.body.draft_digest).not.toBe(created.body.draft_digest);
    });

    it('has no effect if the content is identical', async () => {
      const { created, change, clock } = await setup(target);
      clock.advance(1000);

      expect((await change({ source, description: '', labels: {} })).body).toEqual(created.body);
    });

    it(`is refused while the ${kind} is archived, and so are new versions and tags`, async () => {
      const { call, path, change, publish } = await setup(target);
      await publish('1.0.0');
      await call('POST', `${path}/archive`, {});

      const refused = [
        await change({ description: 'x' }),
        await publish('2.0.0'),
        await call('POST', `${path}/dist_tags/beta`, { version: '1.0.0' }),
        await call('DELETE', `${path}/dist_tags/latest`),
      ];

      for (const { status, body } of refused) {
        expect([status, body.code]).toEqual([409, 'CONFLICT']);
      }
    });
  });

  describe('a version', () => {
    it('has the source that the draft had at publication, and does not change with the draft', async () => {
      const { call, path, publish, change, read, clock } = await setup(target);
      clock.advance(1000);
      const published = await publish('1.0.0');
      const before = await read();
      await change({ source: changed });
      const after = await read();

      expect(OrchestrationVersion.parse(published.body)).toEqual({
        version: '1.0.0',
        source,
        digest: before.draft_digest,
        created_by: { type: 'api_key', id: expect.any(String) },
        message: null,
        published_at: new Date(clock.now()).toISOString(),
      });
      expect(before).toMatchObject({
        latest_version: { version: '1.0.0', published_at: published.body.published_at },
        dist_tags: { latest: '1.0.0' },
        draft_changed: false,
      });
      expect(after).toMatchObject({ draft_changed: true, dist_tags: { latest: '1.0.0' } });
      expect((await call('GET', `${path}/versions/1.0.0`)).body).toEqual(published.body);
    });

    it('makes `draft_changed` false while the draft has the same source', async () => {
      const { publish, change } = await setup(target);
      await publish('1.0.0');
      await change({ source: changed });

      expect((await change({ source })).body.draft_changed).toBe(false);
    });

    it.each(['1.0.0', '0.9.9', '1.0.0-rc.1', '1.0.0+build'])(
      'is refused with CONFLICT unless it is greater than the latest: %s after 1.0.0',
      async (version) => {
        const { publish, read } = await setup(target);
        await publish('1.0.0');

        const { status, body } = await publish(version);

        expect([status, body.code]).toEqual([409, 'CONFLICT']);
        expect(body.detail).toContain('`1.0.0`');
        expect((await read()).latest_version.version).toBe('1.0.0');
      },
    );

    it.each(['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', ' 1.0.0', 'latest', ''])(
      'is refused with INVALID_PARAMS if it is not a semantic version: %j',
      async (version) => {
        const { publish } = await setup(target);

        const { status, body } = await publish(version);

        expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
        expect(body.errors).toMatchObject([{ pointer: '/version' }]);
      },
    );

    it('is listed without its source, newest version first', async () => {
      const { call, path, publish } = await setup(target);
      for (const version of ['1.0.0', '1.10.0', '2.0.0-rc.1+b']) await publish(version);

      const first = OrchestrationVersionPage.parse(
        (await call('GET', `${path}/versions?limit=2`)).body,
      );
      const second = await call('GET', `${path}/versions?limit=2&page=${first.next_cursor}`);

      const versionsOf = (data: { version: string }[]) => data.map(({ version }) => version);
      expect(versionsOf(first.data)).toEqual(['2.0.0-rc.1+b', '1.10.0']);
      expect(first.data[0]).not.toHaveProperty('source');
      expect(versionsOf(second.body.data)).toEqual(['1.0.0']);
      expect(second.body.next_cursor).toBeNull();
      const encoded = await call('GET', `${path}/versions/2.0.0-rc.1%2Bb`);
      expect(encoded.body.version).toBe('2.0.0-rc.1+b');
    });

    it('is not found if it was not published', async () => {
      const { call, path } = await setup(target);

      const { status, body } = await call('GET', `${path}/versions/9.9.9`);

      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    });

    it('is published once for each Idempotency-Key', async () => {
      const { publish } = await setup(target);
      const key = { 'idempotency-key': 'one' };

      const first = await publish('1.0.0', key);
      const repeated = await publish('1.0.0', key);

      expect(repeated).toMatchObject({ status: 200, body: first.body });
    });

    it('is published by exactly one of several simultaneous requests', async () => {
      const { publish } = await setup(target);

      const all = await Promise.all([publish('1.0.0'), publish('1.0.0'), publish('1.0.0')]);

      expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    });
  });

  describe('a tag', () => {
    it('can be set to a version, moved to an earlier one, and deleted', async () => {
      const { call, path, publish } = await setup(target);
      await publish('1.0.0');
      await publish('2.0.0');

      const set = await call('POST', `${path}/dist_tags/stable`, { version: '1.0.0' });
      const back = await call('POST', `${path}/dist_tags/latest`, { version: '1.0.0' });
      const deleted = await call('DELETE', `${path}/dist_tags/stable`);

      expect(set.body.dist_tags).toEqual({ latest: '2.0.0', stable: '1.0.0' });
      expect(back.body).toMatchObject({
        dist_tags: { latest: '1.0.0', stable: '1.0.0' },
        latest_version: { version: '2.0.0' },
      });
      expect(deleted.body.dist_tags).toEqual({ latest: '1.0.0' });
    });

    it.each(['1.0.0', 'A', '-a', 'x'.repeat(65)])('is refused with the name $0', async (tag) => {
      const { call, path, publish } = await setup(target);
      await publish('1.0.0');

      for (const method of ['POST', 'DELETE']) {
        const body = method === 'POST' ? { version: '1.0.0' } : undefined;
        const refused = await call(method, `${path}/dist_tags/${tag}`, body);
        expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_PARAMS']);
        expect(refused.body.errors).toMatchObject([{ pointer: '/path/tag' }]);
      }
    });

    it('is refused for a version that was not published', async () => {
      const { call, path } = await setup(target);

      const { status, body } = await call('POST', `${path}/dist_tags/a`, { version: '1.0.0' });

      expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(body.errors).toMatchObject([{ pointer: '/version' }]);
    });

    it('cannot be deleted if it does not exist or is `latest`', async () => {
      const { call, path, publish } = await setup(target);
      await publish('1.0.0');

      const missing = await call('DELETE', `${path}/dist_tags/constructor`);
      const latest = await call('DELETE', `${path}/dist_tags/latest`);

      expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND']);
      expect([latest.status, latest.body.code]).toEqual([409, 'CONFLICT']);
    });

    it('is refused if there are 64 tags already, unless it replaces one of them', async () => {
      const { call, path, publish } = await setup(target);
      await publish('1.0.0');
      const set = (tag: string) => call('POST', `${path}/dist_tags/${tag}`, { version: '1.0.0' });
      for (let count = 1; count < 64; count += 1) await set(`t${count}`);

      expect((await set('t64')).body.code).toBe('CONFLICT');
      expect((await set('t63')).status).toBe(200);
    });
  });

  describe('3.3: archiving and restoring', () => {
    it('keeps draft, versions and tags', async () => {
      const { call, path, publish, names, read, clock } = await setup(target);
      await publish('1.0.0');
      const before = await read();
      clock.advance(1000);
      const now = new Date(clock.now()).toISOString();

      const archived = await call('POST', `${path}/archive`, {});
      const hidden = await names(`/${kind}s`);
      const restored = await call('POST', `${path}/restore`, {});

      expect(archived.body).toEqual({ ...before, archived_at: now, updated_at: now });
      expect(hidden).toEqual([]);
      expect(restored.status).toBe(200);
      expect(restored.body).toEqual({ ...before, updated_at: now });
      expect(await names(`/${kind}s`)).toEqual(['sync']);
      expect((await call('GET', `${path}/versions/1.0.0`)).status).toBe(200);
    });

    it(`has no effect when a ${kind} that is not archived is restored`, async () => {
      const { call, path, created } = await setup(target);

      expect((await call('POST', `${path}/restore`, {})).body).toEqual(created.body);
    });
  });

  describe(`4.9: POST /automation/v1/${kind}s/{ns}/{name}/restore`, () => {
    it(`responds with TARGET_NOT_FOUND if the ${kind} does not exist`, async () => {
      const { call } = await setup(target);

      const { status, body } = await call('POST', `/${kind}s/jobs/none/restore`, {});

      expect([status, body.code]).toEqual([404, 'TARGET_NOT_FOUND']);
    });

    it(`responds with TARGET_NOT_FOUND and this path if the ${kind} is restored as a ${other}`, async () => {
      const { call } = await setup(target);

      const { status, body } = await call('POST', `/${other}s/jobs/sync/restore`, {});

      expect([status, body.code]).toEqual([404, 'TARGET_NOT_FOUND']);
      expect(body.detail).toContain(`\`/automation/v1/${kind}s/jobs/sync\``);
    });

    it('responds with 429 and Retry-After when the rate limit is exceeded', async () => {
      const limits = { api_key: { requests_per_second: 1, concurrent: 9 } };
      const { call, path } = await setup(target, { config: { limits } });

      const { status, headers, body } = await call('POST', `${path}/restore`, {});

      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    });

    it.each([
      [`/${kind}s/-/sync/restore`, {}, '/path/ns'],
      [`/${kind}s/jobs/_/restore`, {}, '/path/name'],
      [`/${kind}s/jobs/sync/restore`, { a: 1 }, ''],
      [`/${kind}s/jobs/sync/restore`, [], ''],
    ])(
      'responds to an invalid path or body with INVALID_PARAMS: $0 $1',
      async (path, settings, pointer) => {
        const { call } = await setup(target);

        const { status, body } = await call('POST', path, settings);

        expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
        expect(body.errors).toMatchObject([{ pointer }]);
      },
    );
  });

  describe('If-Match', () => {
    /** All writes of `jobs/sync`, in an order in which each succeeds. */
    const writes = [
      ['POST', '', { source: changed }],
      ['POST', '/versions', { version: '2.0.0' }],
      ['POST', '/dist_tags/beta', { version: '1.0.0' }],
      ['DELETE', '/dist_tags/beta', undefined],
      ['POST', '/archive', {}],
      ['POST', '/restore', {}],
    ] as const;

    it('makes every write fail with PRECONDITION_FAILED if the digest differs', async () => {
      const { call, path, publish, read } = await setup(target);
      await publish('1.0.0');
      const before = await read();

      for (const [method, end, body] of writes) {
        const refused = await call(method, path + end, body, { 'if-match': '"sha256:0"' });
        expect([refused.status, refused.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
        expect(refused.body.detail).toContain(before.draft_digest);
      }
      expect(await read()).toEqual(before);
    });

    it('allows every write if it is the digest of the draft', async () => {
      const { call, path, publish, read } = await setup(target);
      await publish('1.0.0');

      for (const [method, end, body] of writes) {
        const { draft_digest: digest } = await read();
        const accepted = await call(method, path + end, body, { 'if-match': `"${digest}"` });
        expect([end, accepted.status]).toEqual([end, 200]);
      }
    });

    it.each([
      ['*', 200],
      ['"other", "{digest}"', 200],
      ['{digest}', 200],
      ['W/"{digest}"', 412],
      ['""', 412],
    ])('of the form %s gets the status %i', async (form, status) => {
      const { change, created } = await setup(target);
      const value = form.replace('{digest}', created.body.draft_digest);

      expect((await change({ source: changed }, { 'if-match': value })).status).toBe(status);
    });

    it('allows exactly one of several simultaneous changes of the same draft', async () => {
      const { change, created } = await setup(target);
      const headers = { 'if-match': `"${created.body.draft_digest}"` };

      const all = await Promise.all(
        ['a: 1', 'b: 1', 'c: 1'].map((text) => change({ source: text }, headers)),
      );

      expect(all.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    });
  });
});

describe('the source of a workflow', () => {
  const create = async (source: string) => {
    const { call } = await setupAutomation();
    return call('POST', '/workflows', { namespace: 'jobs', name: 'sync', source });
  };

  it.each([
    ['an unclosed list', 'do:\n  - a: [1,\n', 'is not valid YAML in line 3, column 1'],
    [
      'a repeated key',
      'a: 1\na: 2',
      'is not valid YAML in line 2, column 1: Map keys must be unique',
    ],
    ['two documents', 'a: 1\n---\nb: 2', 'is not valid YAML in line 2'],
    ['a list', '- a\n- b', 'must be a YAML mapping'],
    ['a scalar', 'text', 'must be a YAML mapping'],
    ['no content', '# empty', 'must be a YAML mapping'],
    ['too many nested lists', '['.repeat(15_000), 'is nested too deeply'],
  ])('is refused if it is not a YAML mapping: %s', async (_name, source, message) => {
    const { status, body } = await create(source);

    expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(body.errors).toEqual([
      { pointer: '/source', message: expect.stringContaining(message) },
    ]);
  });

  it('is refused if it has more than 20,000 YAML tokens, not counting white space', async () => {
    // Five tokens, and two for each further item.
    const list = (items: number) => `a: [0${'\n , 0'.repeat(items)}]`;

    expect((await create(list(9997))).status).toBe(200);
    const { status, body } = await create(list(9998));
    expect([status, body.errors[0].pointer]).toEqual([400, '/source']);
    expect(body.detail).toContain('at most 20000 YAML tokens');
  });

  it('takes about the same time to read with all keys in one mapping as in many mappings', async () => {
    const keys = 9_600;
    const sourceOf = (mappings: number) =>
      Array.from({ length: mappings }, (_, index) => {
        const names = Array.from({ length: keys / mappings }, (_name, n) => `k${n}`);
        return `m${index}: {${names.join(',')}}`;
      }).join('\n');
    const [many, one] = [sourceOf(96), sourceOf(1)];

    // Compiles the parser before the measurements.
    for (let run = 0; run < 4; run += 1) await referencesOfWorkflow(many);
    const growth = await cpuGrowth((size) => referencesOfWorkflow(size === 1 ? many : one), 1);

    expect(growth).toBeLessThan(3);
  });

  it('may have anchors and aliases, which are not expanded', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}]`);

    const { status } = await create(`l0: &l0 [tools/add]\n${levels.join('\n')}`);

    expect(status).toBe(200);
  });
});

describe('the source of a script', () => {
  it('is stored unchanged, including NUL characters and lone surrogates', async () => {
    const { call } = await setupAutomation();
    const source = 'a\0b\ud800\r\n';
    await call('POST', '/scripts', { namespace: 'jobs', name: 'sync', source });

    expect((await call('GET', '/scripts/jobs/sync/draft')).body.source).toBe(source);
  });

  it('is refused if it has more than 1,000 different strings of the form `namespace/name`', async () => {
    const { call } = await setupAutomation();
    const create = (count: number) =>
      call('POST', '/scripts', {
        namespace: 'jobs',
        name: `s${count}`,
        source: Array.from({ length: count }, (_, n) => `'a/b${n}'`).join(),
      });

    expect((await create(1000)).status).toBe(200);
    const { status, body } = await create(1001);
    expect([status, body.errors[0].pointer]).toEqual([400, '/source']);
    expect(body.detail).toContain('at most 1000 strings');
  });
});
