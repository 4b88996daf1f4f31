import {
  AgentResource,
  AgentVersionList,
  AgentVersionResource,
  IssuanceRecordPage,
} from '@inlay/protocol';
import { describe, expect, it, vi } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const base = '/agent/v1/agents';

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const agent = async (response: Response | Promise<Response>) =>
    AgentResource.parse(await (await response).json());
  return { ...server, agent };
}

describe('agent versions', () => {
  const answering = (text: string) => ({ model: { script: [{ say: text }] } });

  it('are created by a change of instructions or model, but not by a change of the name or by identical values', async () => {
    const { backend, agent } = await setup();

    const named = await agent(backend('POST', `${base}/test`, { name: 'Other', embed: {} }));
    const second = await agent(backend('POST', `${base}/test`, { instructions: 'Be brief.' }));
    const same = await agent(backend('POST', `${base}/test`, { instructions: 'Be brief.' }));
    const third = await agent(backend('POST', `${base}/test`, answering('third')));

    expect(named.version).toBe('1');
    expect([second, same, third].map(({ version }) => version)).toEqual(['1.1', '1.1', '1.2']);
    expect(third.versions).toEqual(['1', '1.1', '1.2']);
  });

  it('§4.1: are still used by tokens from before a change, and by tokens that request an earlier version', async () => {
    const { backend, requestAsUser, issue } = await setup({
      agent: {
        model: {
          provider: 'scripted',
          script: [{ say: 'first' }],
          delay_ms: 0,
          first_delay_ms: 0,
        },
        tools: [{ type: 'custom', name: 'old_tool', description: 'Old' }],
        modes: [{ id: 'calm', label: 'Calm' }],
      },
    });
    const { token } = await issue();
    const answer = async (as: string) => {
      const initial_events = [message('hello')];
      const created = await requestAsUser(as, 'POST', '/agent/v1/sessions', { initial_events });
      const { id } = (await created.json()) as { id: string };
      return vi.waitFor(async () => {
        const log = await requestAsUser(as, 'GET', `/agent/v1/sessions/${id}/events`);
        const text = await log.text();
        expect(text).toContain('agent.message');
        return text;
      }, 60_000);
    };

    await backend('POST', `${base}/test`, {
      ...answering('second'),
      instructions: 'New',
      tools: [],
      modes: [],
    });

    expect(await answer(token)).toContain('first');
    expect(await answer((await issue()).token)).toContain('second');
    expect(await answer((await issue('ada', { version: '1' })).token)).toContain('first');
    const kept = await backend('GET', `${base}/test/versions/1`);
    expect(AgentVersionResource.parse(await kept.json())).toMatchObject({
      instructions: '',
      tools: [{ name: 'old_tool' }],
      modes: [{ id: 'calm' }],
    });
  });

  it('may have the name of a member that objects inherit, except `__proto__`', async () => {
    const { backend } = await setup({ agent: { version: 'constructor' } });

    const version = await backend('GET', '/agent/v1/agents/test/versions/constructor');
    const unknown = await backend('GET', '/agent/v1/agents/test/versions/toString');
    const refused = await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      version: '__proto__',
    });

    expect(await version.json()).toMatchObject({ version: 'constructor', created_at: null });
    expect([version.status, unknown.status, refused.status]).toEqual([200, 404, 400]);
  });

  it('are changed in place by an update with `keep_version`', async () => {
    const { backend, agent } = await setup();
    await backend('POST', `${base}/test`, { instructions: 'Second.' });

    const repaired = await agent(
      backend('POST', `${base}/test`, { instructions: 'Repaired.', keep_version: true }),
    );
    await backend('POST', `${base}/test`, { instructions: 'Third.' });

    expect(repaired).toMatchObject({ version: '1.1', instructions: 'Repaired.' });
    const list = AgentVersionList.parse(
      await (await backend('GET', `${base}/test/versions`)).json(),
    );
    expect(list.data.map(({ version, instructions }) => [version, instructions])).toEqual([
      ['1', ''],
      ['1.1', 'Repaired.'],
      ['1.2', 'Third.'],
    ]);
  });

  it('can use a function tool of the configuration file again after a version without it', async () => {
    const { backend, agent } = await setup({
      agent: {
        tools: [
          { type: 'function', name: 'ring', description: 'Rings', run: () => 'rung' },
          { type: 'custom', name: 'look', description: 'Looks' },
        ],
      },
    });

    const withoutTool = await agent(
      backend('POST', `${base}/test`, {
        tools: [{ type: 'custom', name: 'look', description: 'L' }],
      }),
    );
    const withToolAgain = await agent(
      backend('POST', `${base}/test`, {
        tools: [{ type: 'function', name: 'ring', permission: 'ask' }],
      }),
    );

    expect(withoutTool.tools.map(({ name }) => name)).toEqual(['look']);
    expect(withToolAgain.tools).toEqual([
      expect.objectContaining({ name: 'ring', description: 'Rings', permission: 'ask' }),
    ]);
    const first = await backend('GET', `${base}/test/versions/1`);
    expect(AgentVersionResource.parse(await first.json()).tools).toHaveLength(2);
  });

  it('can be pinned by the policy for tokens that request no version', async () => {
    const { backend, issue } = await setup();
    await backend('POST', `${base}/test`, { instructions: 'Second.' });

    const unknownVersion = await backend('POST', `${base}/test`, {
      embed: { pinned_version: '7' },
    });
    await backend('POST', `${base}/test`, { embed: { pinned_version: '1' } });
    await issue('by-policy');
    await issue('asked', { version: '1.1' });
    await backend('POST', `${base}/test`, { embed: { pinned_version: null } });
    await issue('latest');

    expect((await problemOf(unknownVersion)).errors?.[0]).toMatchObject({
      pointer: '/embed/pinned_version',
      message: expect.stringContaining('must be a version of this agent'),
    });
    const list = IssuanceRecordPage.parse(
      await (await backend('GET', '/agent/v1/embed_tokens')).json(),
    );
    const versions = Object.fromEntries(
      list.data.map((record) => [record.external_user_id, record.agent_version]),
    );
    expect(versions).toEqual({ 'by-policy': '1', asked: '1.1', latest: '1.1' });
  });

  it('are listed with the pinned version marked as default', async () => {
    const { backend, clock } = await setup();
    clock.advance(1000);
    await backend('POST', `${base}/test`, { instructions: 'Second.' });
    await backend('POST', `${base}/test`, { embed: { pinned_version: '1' } });

    const list = await backend('GET', `${base}/test/versions`);

    expect(AgentVersionList.parse(await list.json()).data).toMatchObject([
      { version: '1', default: true, instructions: '', created_at: null },
      {
        version: '1.1',
        default: false,
        instructions: 'Second.',
        created_at: '2026-01-15T12:00:01.000Z',
      },
    ]);
  });

  it.each(['2', 'toString', '1.2'])('cannot be read if they do not exist: %s', async (name) => {
    const { backend } = await setup();
    await backend('POST', `${base}/test`, { instructions: 'Second.' });

    expect((await backend('GET', `${base}/test/versions/${name}`)).status).toBe(404);
  });

  it('are replaced by a newer version of the configuration file, and can still be read', async () => {
    const data = temporaryFolder();
    const first = await setupServer({ data, agent: { instructions: 'One.' } });
    await first.backend('POST', `${base}/test`, { name: 'Renamed', ...answering('by hand') });
    await first.close();

    const { backend, agent } = await setup({
      data,
      agent: { instructions: 'Two.', version: '2', previous_versions: {} },
    });

    const after = await agent(backend('GET', `${base}/test`));
    expect(after).toMatchObject({ name: 'Renamed', version: '2', instructions: 'Two.' });
    expect(after.versions.toSorted()).toEqual(['1', '1.1', '2']);
    const kept = await backend('GET', `${base}/test/versions/1`);
    expect(AgentVersionResource.parse(await kept.json()).instructions).toBe('One.');
  });

  it('get consecutive numbers when several updates arrive at the same time', async () => {
    const { backend, agent } = await setup();

    const texts = ['a', 'b', 'c', 'd', 'e'];
    const changes = await Promise.all(
      texts.map((instructions) => backend('POST', `${base}/test`, { instructions })),
    );

    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { versions } = await agent(backend('GET', `${base}/test`));
    expect(versions).toEqual(['1', '1.1', '1.2', '1.3', '1.4', '1.5']);
  });
});
