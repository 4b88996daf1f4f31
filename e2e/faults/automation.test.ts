/** The automation client of `@inlay/node` with a real platform, over a connection that can lose responses. */
import { createAutomation } from '@inlay/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { startPlatform } from '../start-platform.ts';
import { apiKey } from './platform-process.ts';

const shopNamespace = { namespace: 'shop' };
const codeImplementation = (source: string) => ({ kind: 'code' as const, source });

/** Starts a platform behind a fault proxy, with rate limits that the tests do not reach. */
async function setup() {
  const unlimited = { requests_per_second: 10_000, concurrent: 1_000 };
  const server = await startPlatform(
    {
      agents: [{ short_id: 'test', name: 'Test', model: { provider: 'scripted' } }],
      limits: { api_key: unlimited, source: unlimited },
    },
    { apiKey },
  );
  const proxy = await startFaultProxy({ target: server.baseUrl });
  onTestFinished(async () => {
    await proxy.close();
    await server.stop();
  });
  return { ...createAutomation({ baseUrl: proxy.url, apiKey }), proxy };
}

/** Lists the names, sorted, because objects that were created in the same millisecond have no order. */
async function sortedNames(items: AsyncIterable<{ name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of items) names.push(name);
  return names.sort();
}

describe('actions', () => {
  it('are created, read, changed and listed with their revisions', async () => {
    const { actions } = await setup();

    const created = await actions.create({
      ...shopNamespace,
      name: 'Refund',
      labels: { team: 'billing' },
      implementation: codeImplementation('export default () => 1;'),
      message: 'First',
    });
    const updated = await actions.update('shop', 'refund', {
      implementation: codeImplementation('export default () => 2;'),
    });

    expect(created).toMatchObject({ name: 'refund', labels: { team: 'billing' }, builtin: false });
    expect(await actions.get('shop', 'refund')).toEqual(updated);
    const revisions = await actions.revisions('shop', 'refund');
    expect(revisions.data).toEqual([updated.current_revision, created.current_revision]);
    expect(await actions.revision('shop', 'refund', created.current_revision.id)).toEqual(
      created.current_revision,
    );
  });

  it('are listed in pages, by their labels, and with archived actions on request', async () => {
    const { actions } = await setup();
    for (const [name, team] of [
      ['a', 'billing'],
      ['b', 'support'],
      ['c', 'billing'],
      ['d', 'billing'],
    ] as const) {
      const labels = { team, 'on call': 'x&y=z' };
      await actions.create({
        ...shopNamespace,
        name,
        labels,
        implementation: codeImplementation('export default 1;'),
      });
    }
    await actions.archive('shop', 'd');
    const labels = { team: 'billing', 'on call': 'x&y=z' };

    expect(await sortedNames(actions.list({ limit: 1 }))).toEqual(['a', 'b', 'c']);
    expect(await sortedNames(actions.list({ labels, limit: 1 }))).toEqual(['a', 'c']);
    expect(await sortedNames(actions.list({ labels, include_archived: true }))).toEqual([
      'a',
      'c',
      'd',
    ]);
    expect(await sortedNames(actions.list({ namespace: 'other' }))).toEqual([]);
  });

  it('keep their revision and name when they are archived and restored', async () => {
    const { actions } = await setup();
    const action = {
      ...shopNamespace,
      name: 'refund',
      implementation: codeImplementation('export default 1;'),
    };
    const { current_revision } = await actions.create(action);

    const archived = await actions.archive('shop', 'refund');
    await expect(actions.create(action)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    const change = actions.update('shop', 'refund', { description: 'x' });
    await expect(change).rejects.toMatchObject({ code: 'CONFLICT', status: 409 });
    const restored = await actions.restore('shop', 'refund');

    expect(archived.archived_at).toEqual(expect.any(String));
    expect(restored).toMatchObject({ archived_at: null, current_revision });
  });

  it('reject invalid calls with the error codes of the platform', async () => {
    const { actions, scripts } = await setup();
    await scripts.create({ ...shopNamespace, name: 'report', source: 'export default 1;' });
    const implementation = codeImplementation('export default 1;');

    const missing = actions.get('shop', 'report');
    await expect(missing).rejects.toMatchObject({
      code: 'ACTION_NOT_FOUND',
      status: 404,
      message: expect.stringContaining('/automation/v1/scripts/shop/report'),
    });
    const readOnly = actions.create({ namespace: 'praxis', name: 'x', implementation });
    await expect(readOnly).rejects.toMatchObject({ code: 'NAMESPACE_FORBIDDEN', status: 403 });
    const shell = { kind: 'shell' as const, script: 'true' };
    const unsupported = actions.create({ ...shopNamespace, name: 'x', implementation: shell });
    await expect(unsupported).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
      status: 501,
    });
    const invalid = actions.create({ ...shopNamespace, name: 'x', implementation, timeout_ms: 0 });
    await expect(invalid).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      problem: { errors: [{ pointer: '/timeout_ms' }] },
    });
  });
});

describe.each([
  ['scripts', 'workflows', 'export default 1;', 'export default 2;'],
  ['workflows', 'scripts', 'do: []', 'do: [a]'],
] as const)('%s', (kind, other, source, changed) => {
  it('are published, tagged, archived and restored', async () => {
    const { [kind]: calls } = await setup();
    await calls.create({ ...shopNamespace, name: 'nightly', source });

    const first = await calls.publish('shop', 'nightly', { version: '1.0.0', message: 'First' });
    await calls.updateDraft('shop', 'nightly', { source: changed });
    await calls.publish('shop', 'nightly', { version: '1.1.0' });
    await calls.setTag('shop', 'nightly', 'stable', { version: '1.0.0' });
    await calls.setTag('shop', 'nightly', 'next', { version: '1.1.0' });
    await calls.deleteTag('shop', 'nightly', 'next');
    await calls.update('shop', 'nightly', { description: 'Every night' });
    const archived = await calls.archive('shop', 'nightly');
    const restored = await calls.restore('shop', 'nightly');

    expect(first).toMatchObject({ version: '1.0.0', message: 'First', source });
    expect(archived.archived_at).toEqual(expect.any(String));
    expect(restored).toMatchObject({
      description: 'Every night',
      archived_at: null,
      latest_version: { version: '1.1.0' },
      dist_tags: { latest: '1.1.0', stable: '1.0.0' },
      draft_changed: false,
    });
    const versions: string[] = [];
    for await (const each of calls.versions('shop', 'nightly', { limit: 1 })) {
      versions.push(each.version);
    }
    expect(versions).toEqual(['1.1.0', '1.0.0']);
    expect(await calls.version('shop', 'nightly', '1.0.0')).toEqual(first);
    expect((await calls.draft('shop', 'nightly')).source).toBe(changed);
  });

  it('are changed only if `ifMatch` is the digest of their draft', async () => {
    const { [kind]: calls } = await setup();
    const created = await calls.create({ ...shopNamespace, name: 'nightly', source });
    const options = { ifMatch: created.draft_digest };

    const updated = await calls.updateDraft('shop', 'nightly', { source: changed }, options);
    const stale = await Promise.allSettled([
      calls.updateDraft('shop', 'nightly', { source }, options),
      calls.update('shop', 'nightly', { description: 'x' }, options),
      calls.publish('shop', 'nightly', { version: '1.0.0' }, options),
      calls.archive('shop', 'nightly', options),
    ]);

    const refused = { status: 'rejected', reason: { code: 'PRECONDITION_FAILED', status: 412 } };
    expect(stale).toMatchObject(Array(4).fill(refused));
    expect(await calls.get('shop', 'nightly')).toEqual(updated);
    expect(await calls.draft('shop', 'nightly')).toEqual({
      source: changed,
      digest: updated.draft_digest,
    });
  });

  it('have unique names among scripts and workflows, and are not found as the other kind', async () => {
    const { [kind]: calls, [other]: others } = await setup();
    await calls.create({ ...shopNamespace, name: 'nightly', source });

    const taken = others.create({ ...shopNamespace, name: 'nightly', source: 'do: []' });
    await expect(taken).rejects.toMatchObject({ code: 'NAME_TAKEN', status: 409 });
    await expect(others.restore('shop', 'nightly')).rejects.toMatchObject({
      code: 'TARGET_NOT_FOUND',
      status: 404,
    });
    expect(await sortedNames(others.list())).toEqual([]);
  });

  it('are created and published once if the response is lost or incomplete', async () => {
    const { [kind]: calls, proxy } = await setup();
    const match = { method: 'POST', times: 1 };
    proxy.faults.add(
      { type: 'lose-answer', how: 'reset' },
      { ...match, path: `/automation/v1/${kind}` },
    );
    proxy.faults.add(
      { type: 'cut', how: 'reset', from: 'body', after: 10 },
      { ...match, path: '/versions' },
    );

    const created = await calls.create({ ...shopNamespace, name: 'nightly', source });
    const published = await calls.publish('shop', 'nightly', { version: '1.0.0' });

    expect(proxy.counts.cuts.reset).toBe(2);
    expect(await sortedNames(calls.list())).toEqual(['nightly']);
    expect((await calls.get('shop', 'nightly')).id).toBe(created.id);
    expect(await calls.version('shop', 'nightly', '1.0.0')).toEqual(published);
  });
});
