import { AgentPage, AgentResource, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it, vi } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const base = '/agent/v1/agents';
const helperSettings = {
  short_id: 'helper',
  name: 'Helper',
  model: { provider: 'scripted', script: [{ say: 'first' }], delay_ms: 0, first_delay_ms: 0 },
  embed: { allowed_origins: [testOrigin] },
};

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const agent = async (response: Response | Promise<Response>) =>
    AgentResource.parse(await (await response).json());
  return { ...server, agent };
}

describe('agents created at run time', () => {
  it('can be changed, listed and used in token requests', async () => {
    const { backend, agent, issue, requestAsUser } = await setup();

    const createdAgent = await agent(backend('POST', base, helperSettings));
    const changed = await agent(backend('POST', `${base}/helper`, { name: 'Second' }));
    const { token } = await issue('ada', { agent: 'helper' });

    expect(createdAgent).toMatchObject({
      short_id: 'helper',
      version: '1',
      declared: false,
      created_at: '2026-01-15T12:00:00.000Z',
      archived_at: null,
      embed: { allowed_origins: [testOrigin], default_ttl_seconds: 600 },
    });
    expect(changed).toEqual({ ...createdAgent, name: 'Second' });
    const config = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    expect(EmbedConfig.parse(await config.json()).agent).toMatchObject({ name: 'Second' });
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    expect(list.data.map(({ short_id }) => short_id)).toEqual(['helper', 'test']);
  });

  it.each([
    [
      'references that are chained',
      {
        allOf: [{ $ref: '#/$defs/d0' }],
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => {
            const $ref = `#/$defs/d${index + 1}`;
            return [`d${index}`, index === 39 ? {} : { allOf: [{ $ref }, { $ref }] }];
          }),
        ),
      },
    ],
    [
      'nested identifiers',
      Array.from({ length: 40 }).reduce<object>((not, _, index) => ({ $id: `s${index}`, not }), {}),
    ],
  ])('may have tools whose schemas have %s', async (_, input_schema) => {
    const { backend, agent } = await setup();
    const tools = [{ type: 'custom', name: 'pay', description: '', input_schema }];

    const created = await agent(backend('POST', base, { ...helperSettings, tools }));

    expect(created.tools).toMatchObject(tools);
  });

  it('are rejected if their settings exceed `limits.request.agent_bytes`, at creation or after a change', async () => {
    const limits = { request: { agent_bytes: 2_000 } };
    const { agent, backend } = await setup({ config: { limits } });
    const update = (changes: object) => backend('POST', `${base}/helper`, changes);

    const tooLarge = await backend('POST', base, {
      ...helperSettings,
      instructions: 'x'.repeat(2_000),
    });
    const createdAgent = await agent(
      backend('POST', base, { ...helperSettings, instructions: 'x'.repeat(1_000) }),
    );
    const refused = await update({ description: 'y'.repeat(1_000) });
    const replaced = await update({ instructions: 'z'.repeat(1_100) });

    expect([tooLarge.status, refused.status, replaced.status]).toEqual([400, 400, 200]);
    const problem = await problemOf(refused);
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(problem.detail).toContain('at most 2000 bytes');
    expect(await agent(backend('GET', `${base}/helper`))).toMatchObject({
      description: createdAgent.description,
      instructions: 'z'.repeat(1_100),
    });
  });

  it('survive a restart, with their versions and keys', async () => {
    const data = temporaryFolder();
    const first = await setupServer({ data });
    await first.backend('POST', base, helperSettings);
    await first.backend('POST', `${base}/helper`, { instructions: 'Be kind.' });
    await first.backend('POST', `${base}/helper/publishable_keys`, { name: 'shop' });
    const before = await (await first.backend('GET', `${base}/helper`)).json();
    await first.close();

    const { backend } = await setup({ data });

    expect(await (await backend('GET', `${base}/helper`)).json()).toEqual(before);
  });

  it.each<[string, object, string, string]>([
    ['no short id', { short_id: undefined }, '/short_id', 'is required'],
    [
      'a short id that contains other characters',
      { short_id: 'Help me' },
      '/short_id',
      'lower-case letters',
    ],
    ['an empty name', { name: '' }, '/name', 'must not be empty'],
    ['no model', { model: undefined }, '/model', 'is required'],
    ['an unknown model', { model: { provider: 'magic' } }, '/model/provider', ''],
    ['an unknown field', { modell: {} }, '', 'has no field `modell`'],
    [
      'an invalid policy',
      { embed: { max_ttl_seconds: 59 } },
      '/embed/max_ttl_seconds',
      'at least 60',
    ],
    [
      'a function tool that the configuration file does not have',
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
      'a secret of the environment that the configuration file does not use',
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
  ])('cannot be created with %s', async (_, invalidFields, pointer, expectedText) => {
    const { backend } = await setup();

    const response = await backend('POST', base, { ...helperSettings, ...invalidFields });

    expect(response.status).toBe(400);
    const problem = await problemOf(response);
    expect(problem.errors?.[0]).toMatchObject({
      pointer,
      message: expect.stringContaining(expectedText),
    });
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    expect(list.data).toHaveLength(1);
  });

  it('have unique short ids, even if they are created at the same time', async () => {
    const { backend } = await setup();

    const answers = await Promise.all([1, 2, 3].map(() => backend('POST', base, helperSettings)));
    const declared = await backend('POST', base, { ...helperSettings, short_id: 'test' });

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(declared.status).toBe(409);
    expect((await problemOf(declared)).errors).toEqual([
      { pointer: '/short_id', message: '`test` is the short id of another agent' },
    ]);
  });

  it('appear once in a paged list, even if another agent is created between two pages', async () => {
    const { backend, clock } = await setup();
    for (const short_id of ['a', 'b', 'c', 'd']) {
      clock.advance(1);
      await backend('POST', base, { ...helperSettings, short_id });
    }

    const first = AgentPage.parse(await (await backend('GET', `${base}?limit=2`)).json());
    clock.advance(1);
    await backend('POST', base, { ...helperSettings, short_id: 'late' });
    const second = AgentPage.parse(
      await (await backend('GET', `${base}?limit=3&page=${first.next_page}`)).json(),
    );

    const names = [...first.data, ...second.data].map(({ short_id }) => short_id);
    expect(names).toEqual(['d', 'c', 'b', 'a', 'test']);
    expect(second.next_page).toBeNull();
  });

  it('lose their tokens when archived, and get no new tokens until they are restored', async () => {
    const { backend, agent, issue, requestAsUser } = await setup();
    await backend('POST', base, helperSettings);
    const { token } = await issue('ada', { agent: 'helper' });

    const archived = await agent(backend('POST', `${base}/helper/archive`));
    const refused = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    const again = await agent(backend('POST', `${base}/helper/archive`));
    const list = AgentPage.parse(await (await backend('GET', base)).json());
    const all = AgentPage.parse(
      await (await backend('GET', `${base}?include_archived=true`)).json(),
    );
    const sameShortId = await backend('POST', base, helperSettings);
    const noToken = await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'helper',
      external_user_id: 'ada',
    });
    const restored = await agent(backend('POST', `${base}/helper/restore`));
    const stillRefused = await requestAsUser(token, 'GET', '/agent/v1/embed/config');

    expect(archived.archived_at).toBe('2026-01-15T12:00:00.000Z');
    expect(again).toEqual(archived);
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect(list.data.map(({ short_id }) => short_id)).toEqual(['test']);
    expect(all.data).toHaveLength(2);
    expect(sameShortId.status).toBe(409);
    expect(await problemOf(noToken)).toMatchObject({ errors: [{ pointer: '/agent' }] });
    expect(restored.archived_at).toBeNull();
    expect((await problemOf(stillRefused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await issue('ada', { agent: 'helper' })).token).toMatch(/^et_/);
  });

  it('reach other processes within two seconds, like changes of declared agents, even if the bus message is lost', async () => {
    const firstServer = await setup();
    const secondServer = await setup({ sharedStore: firstServer.store, seed: 'second' });

    await firstServer.backend('POST', base, helperSettings);
    await firstServer.backend('POST', `${base}/test`, { name: 'Changed here' });
    secondServer.clock.advance(2_000);

    await vi.waitFor(async () => {
      expect(await secondServer.agent(secondServer.backend('GET', `${base}/helper`))).toMatchObject(
        {
          name: 'Helper',
        },
      );
      expect(await secondServer.agent(secondServer.backend('GET', `${base}/test`))).toMatchObject({
        name: 'Changed here',
      });
    }, 60_000);
  });
});
