import {
  AgentPage,
  AgentResource,
  AgentVersionList,
  AgentVersionResource,
  EmbedConfig,
  IssuanceRecordPage,
  Problem,
} from '@inlay/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const base = '/agent/v1/agents';
const helper = {
  short_id: 'helper',
  name: 'Helper',
  model: { provider: 'scripted', script: [{ say: 'first' }], delay_ms: 0, first_delay_ms: 0 },
  embed: { allowed_origins: [testOrigin] },
};

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  onTestFinished(() => server.close());
  const agent = async (response: Response | Promise<Response>) =>
    AgentResource.parse(await (await response).json());
  return { ...server, agent };
}

const problemOf = async (response: Response) => Problem.parse(await response.json());

describe('agents of run time', () => {
  it('are made, read, changed and listed, and give tokens like those of the file', async () => {
    const { backend, agent, issue, endUser } = await setup();

    const made = await agent(backend('POST', base, helper));
    const changed = await agent(backend('POST', `${base}/helper`, { name: 'Second' }));
    const { token } = await issue('ada', { agent: 'helper' });

    expect(made).toMatchObject({
      short_id: 'helper',
      version: '1',
      declared: false,
      created_at: '2026-01-15T12:00:00.000Z',
      archived_at: null,
      embed: { allowed_origins: [testOrigin], default_ttl_seconds: 600 },
    });
    expect(changed).toEqual({ ...made, name: 'Second' });
    const config = await endUser(token, 'GET', '/agent/v1/embed/config');
    expect(EmbedConfig.parse(await config.json()).agent).toMatchObject({ name: 'Second' });
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    expect(list.data.map(({ short_id }) => short_id)).toEqual(['helper', 'test']);
  });

  it('outlive a restart, with their versions and keys', async () => {
    const data = temporaryFolder();
    const first = await setupServer({ data });
    await first.backend('POST', base, helper);
    await first.backend('POST', `${base}/helper`, { instructions: 'Be kind.' });
    await first.backend('POST', `${base}/helper/publishable_keys`, { name: 'shop' });
    const before = await (await first.backend('GET', `${base}/helper`)).json();
    await first.close();

    const { backend } = await setup({ data });

    expect(await (await backend('GET', `${base}/helper`)).json()).toEqual(before);
  });

  it.each<[string, object, string, string]>([
    ['no short id', { short_id: undefined }, '/short_id', 'is required'],
    ['a short id of other signs', { short_id: 'Help me' }, '/short_id', 'lower-case letters'],
    ['no name', { name: '' }, '/name', 'must not be empty'],
    ['no model', { model: undefined }, '/model', 'is required'],
    ['an unknown model', { model: { provider: 'magic' } }, '/model/provider', ''],
    ['an unknown section', { modell: {} }, '', 'has no field `modell`'],
    ['a wrong policy', { embed: { max_ttl_seconds: 59 } }, '/embed/max_ttl_seconds', 'at least 60'],
    [
      'a function',
      { tools: [{ type: 'function', name: 'launch' }] },
      '/tools/0/name',
      'is no function tool of the configuration file',
    ],
    [
      'a tool without a description',
      { tools: [{ type: 'custom', name: 'x' }] },
      '/tools/0/description',
      'is required',
    ],
    [
      'a secret of the environment that the file sends nowhere',
      {
        model: {
          provider: 'openai-compatible',
          base_url: 'https://evil.example/v1',
          model: 'm',
          api_key_env: 'DATABASE_URL',
        },
      },
      '/model/api_key_env',
      'name the two together there first',
    ],
    [
      'a key that another agent has',
      { publishable_keys: [{ key: 'pk_test' }] },
      '/publishable_keys/0/key',
      'is taken already',
    ],
  ])('are refused with %s', async (_, wrong, pointer, words) => {
    const { backend } = await setup();

    const response = await backend('POST', base, { ...helper, ...wrong });

    expect(response.status).toBe(400);
    const problem = await problemOf(response);
    expect(problem.errors?.[0]).toMatchObject({
      pointer,
      message: expect.stringContaining(words),
    });
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    expect(list.data).toHaveLength(1);
  });

  it('take a short id once, whoever comes first', async () => {
    const { backend } = await setup();

    const answers = await Promise.all([1, 2, 3].map(() => backend('POST', base, helper)));
    const declared = await backend('POST', base, { ...helper, short_id: 'test' });

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(declared.status).toBe(409);
    expect((await problemOf(declared)).errors).toEqual([
      { pointer: '/short_id', message: '`test` is the short id of another agent' },
    ]);
  });

  it('are listed by pages, each once, also when others come in between', async () => {
    const { backend, clock } = await setup();
    for (const short_id of ['a', 'b', 'c', 'd']) {
      clock.advance(1);
      await backend('POST', base, { ...helper, short_id });
    }

    const first = AgentPage.parse(await (await backend('GET', `${base}?limit=2`)).json());
    clock.advance(1);
    await backend('POST', base, { ...helper, short_id: 'late' });
    const second = AgentPage.parse(
      await (await backend('GET', `${base}?limit=3&page=${first.next_page}`)).json(),
    );

    const names = [...first.data, ...second.data].map(({ short_id }) => short_id);
    expect(names).toEqual(['d', 'c', 'b', 'a', 'test']);
    expect(second.next_page).toBeNull();
  });

  it('lose their tokens for good when they are archived, and give none until they are back', async () => {
    const { backend, agent, issue, endUser } = await setup();
    await backend('POST', base, helper);
    const { token } = await issue('ada', { agent: 'helper' });

    const archived = await agent(backend('POST', `${base}/helper/archive`));
    const refused = await endUser(token, 'GET', '/agent/v1/embed/config');
    const again = await agent(backend('POST', `${base}/helper/archive`));
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    const all = AgentPage.parse(
      await (await backend('GET', `${base}?include_archived=true`)).json(),
    );
    const noName = await backend('POST', base, helper);
    const back = await agent(backend('POST', `${base}/helper/restore`));
    const stillRefused = await endUser(token, 'GET', '/agent/v1/embed/config');

    expect(archived.archived_at).toBe('2026-01-15T12:00:00.000Z');
    expect(again).toEqual(archived);
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect(list.data.map(({ short_id }) => short_id)).toEqual(['test']);
    expect(all.data).toHaveLength(2);
    expect(noName.status).toBe(409);
    expect(back.archived_at).toBeNull();
    expect((await problemOf(stillRefused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await issue('ada', { agent: 'helper' })).token).toMatch(/^et_/);
  });

  it('are known to another process within two seconds, also where the message was lost', async () => {
    const data = temporaryFolder();
    const here = await setup({ data });
    const there = await setup({ data });

    await here.backend('POST', base, helper);
    await here.backend('POST', `${base}/test`, { name: 'Changed here' });
    there.clock.advance(2_000);

    await vi.waitFor(async () => {
      expect(await there.agent(there.backend('GET', `${base}/helper`))).toMatchObject({
        name: 'Helper',
      });
      expect(await there.agent(there.backend('GET', `${base}/test`))).toMatchObject({
        name: 'Changed here',
      });
    });
  });
});

describe('versions', () => {
  const say = (text: string) => ({ model: { script: [{ say: text }] } });

  it('are made by what they settle, and by nothing else', async () => {
    const { backend, agent } = await setup();

    const named = await agent(backend('POST', `${base}/test`, { name: 'Other', embed: {} }));
    const second = await agent(backend('POST', `${base}/test`, { instructions: 'Be brief.' }));
    const same = await agent(backend('POST', `${base}/test`, { instructions: 'Be brief.' }));
    const third = await agent(backend('POST', `${base}/test`, say('third')));

    expect(named.version).toBe('1');
    expect([second, same, third].map(({ version }) => version)).toEqual(['1.1', '1.1', '1.2']);
    expect(third.versions).toEqual(['1', '1.1', '1.2']);
  });

  it('§4.1: stay what they were for the sessions of a token that has them', async () => {
    const { backend, endUser, issue } = await setup({
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
      const created = await endUser(as, 'POST', '/agent/v1/sessions', { initial_events });
      const { id } = (await created.json()) as { id: string };
      return vi.waitFor(async () => {
        const log = await endUser(as, 'GET', `/agent/v1/sessions/${id}/events`);
        const text = await log.text();
        expect(text).toContain('agent.message');
        return text;
      });
    };

    await backend('POST', `${base}/test`, {
      ...say('second'),
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

  it('are repaired in place where that is asked for, for those who have the latest', async () => {
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

  it('keep the code of a function tool, which stands in the file', async () => {
    const { backend, agent } = await setup({
      agent: {
        tools: [
          { type: 'function', name: 'ring', description: 'Rings', run: () => 'rung' },
          { type: 'custom', name: 'look', description: 'Looks' },
        ],
      },
    });

    const less = await agent(
      backend('POST', `${base}/test`, {
        tools: [{ type: 'custom', name: 'look', description: 'L' }],
      }),
    );
    const back = await agent(
      backend('POST', `${base}/test`, {
        tools: [{ type: 'function', name: 'ring', permission: 'ask' }],
      }),
    );

    expect(less.tools.map(({ name }) => name)).toEqual(['look']);
    expect(back.tools).toEqual([
      expect.objectContaining({ name: 'ring', description: 'Rings', permission: 'ask' }),
    ]);
    const first = await backend('GET', `${base}/test/versions/1`);
    expect(AgentVersionResource.parse(await first.json()).tools).toHaveLength(2);
  });

  it('can be pinned by the policy, for tokens that ask for none', async () => {
    const { backend, issue } = await setup();
    await backend('POST', `${base}/test`, { instructions: 'Second.' });

    const wrong = await backend('POST', `${base}/test`, { embed: { pinned_version: '7' } });
    await backend('POST', `${base}/test`, { embed: { pinned_version: '1' } });
    await issue('by-policy');
    await issue('asked', { version: '1.1' });
    await backend('POST', `${base}/test`, { embed: { pinned_version: null } });
    await issue('latest');

    expect((await problemOf(wrong)).errors?.[0]).toMatchObject({
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

  it('are listed with the one that tokens get, and are not found by other names', async () => {
    const { backend, clock } = await setup();
    clock.advance(1000);
    await backend('POST', `${base}/test`, { instructions: 'Second.' });
    await backend('POST', `${base}/test`, { embed: { pinned_version: '1' } });

    const list = await backend('GET', `${base}/test/versions`);

    expect(AgentVersionList.parse(await list.json()).data).toMatchObject([
      { version: '1', default: true, instructions: '' },
      {
        version: '1.1',
        default: false,
        instructions: 'Second.',
        created_at: '2026-01-15T12:00:01.000Z',
      },
    ]);
    for (const name of ['2', 'toString', '1.2']) {
      expect((await backend('GET', `${base}/test/versions/${name}`)).status).toBe(404);
    }
  });

  it('make way for one that the file names anew, and stay for those who have them', async () => {
    const data = temporaryFolder();
    const first = await setupServer({ data, agent: { instructions: 'One.' } });
    await first.backend('POST', `${base}/test`, { name: 'Renamed', ...say('by hand') });
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

  it('are counted right by any number of changes at once', async () => {
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
