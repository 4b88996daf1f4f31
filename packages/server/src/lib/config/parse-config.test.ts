import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadConfig } from './load-config.ts';
import { parseConfig } from './parse-config.ts';
import { readSettings } from './settings.ts';

const agent = { short_id: 'a', name: 'A', model: { provider: 'scripted' } };

const mode = { id: 'fast', label: 'Fast' };

describe('parseConfig', () => {
  it('requires only an agent', () => {
    const config = parseConfig({ agents: [agent] }, 'it');

    expect(config.limits.api_key).toEqual({ requests_per_second: 5, concurrent: 4 });
    expect(config.agents[0]?.embed).toBeNull();
  });

  it('by default enables editing, export and deletion, but not cards, suggestions or `forget_me`', () => {
    const { appearance } = parseConfig({ agents: [agent] }, 'it').agents[0] ?? {};

    expect(appearance).toMatchObject({
      features: { edit: true, export: true, delete: true, forget_me: false },
      attachments: { max_files: 10, media_types: [] },
      consent: null,
      cards: false,
      suggestions: false,
    });
  });

  const invalid: [value: unknown, message: string][] = [
    [undefined, 'the configuration is missing'],
    [{}, 'agents is missing'],
    [{ agents: [] }, 'agents must hold at least one agent'],
    [{ agents: [{ ...agent, name: 7 }] }, 'agents[0].name must be of type string'],
    [{ agents: [{ ...agent, nmae: 'A' }] }, 'agents[0] has no setting `nmae`; check the spelling'],
    [
      { agents: [{ ...agent, embed: { allowedOrigins: [] } }] },
      'agents[0].embed has no setting `allowedOrigins`; did you mean `allowed_origins`?',
    ],
    [
      { agents: [{ ...agent, embed: { allowed_origins: ['app.example'] } }] },
      'agents[0].embed.allowed_origins[0] must be an origin',
    ],
    [
      { agents: [{ ...agent, embed: { pinned_version: '7' } }] },
      'agents[0].embed.pinned_version must be',
    ],
    [
      { agents: [{ ...agent, embed: { pinned_version: 'toString' } }] },
      'agents[0].embed.pinned_version must be',
    ],
    [{ agents: [agent, agent] }, '`a` is already used by agents[0]'],
    [
      { agents: [{ ...agent, retention: { sessions_days: 366 } }] },
      'agents[0].retention.sessions_days must be at most 365',
    ],
    [
      { agents: [agent], webhooks: { allowed_private_hosts: ['::1', 'http://crm.internal'] } },
      'webhooks.allowed_private_hosts[1] must be a host name or an IP address',
    ],
    [
      { agents: [{ ...agent, publishable_keys: [{ key: 'sk-x' }] }] },
      'agents[0].publishable_keys[0].key must be `pk_`',
    ],
    [
      { agents: [{ ...agent, modes: [{ id: 'a b', label: 'A' }] }] },
      'agents[0].modes[0].id must have 1 to 64 of A-Z a-z 0-9 _ -',
    ],
    [
      { agents: [{ ...agent, modes: [mode, { id: 'other', label: 'B' }, mode] }] },
      'agents[0].modes[2].id `fast` is the id of another mode already',
    ],
    [
      { agents: [{ ...agent, modes: [{ ...mode, model: { provider: 'magic' } }] }] },
      'agents[0].modes[0].model.provider',
    ],
    [
      { agents: [{ ...agent, tools: [{ type: 'custom', name: 'show_card', description: '' }] }] },
      'agents[0].tools[0].name `show_card` is the name of a built-in tool; choose another one',
    ],
    [
      {
        agents: [
          {
            ...agent,
            tools: [
              { type: 'function', name: 'x', description: '', run: String, explain: 'Pays.' },
            ],
          },
        ],
      },
      'agents[0].tools[0].explain must be a function',
    ],
    [
      { agents: [{ ...agent, appearance: { attachments: { media_types: ['png'] } } }] },
      'agents[0].appearance.attachments.media_types[0] must be a media type in lower case',
    ],
    [
      { agents: [{ ...agent, appearance: { attachments: { max_files: 0 } } }] },
      'agents[0].appearance.attachments.max_files must be at least 1',
    ],
    [
      { agents: [{ ...agent, appearance: { consent: { text: '' } } }] },
      'agents[0].appearance.consent.text must not be empty',
    ],
    [
      { agents: [{ ...agent, appearance: { features: { forget: true } } }] },
      'agents[0].appearance.features has no setting `forget`; did you mean `forget_me`?',
    ],
  ];

  it.each(invalid.map(([value, message]) => [message, value] as const))(
    'throws an error with the file and the reason: %s',
    (expectedText, value) => {
      expect(() => parseConfig(value, 'inlay.config.ts')).toThrow(expectedText);
      expect(() => parseConfig(value, 'inlay.config.ts')).toThrow('inlay.config.ts cannot be used');
    },
  );
});

describe('loadConfig', () => {
  it('accepts the configuration of compose.yaml', async () => {
    const deploy = fileURLToPath(new URL('../../../../../deploy', import.meta.url));

    const config = await loadConfig({}, deploy);

    expect(config.trusted_proxies).toBe(1);
    expect(config.agents[0]?.model.provider).toBe('scripted');
  });

  it('returns a demo agent for pages on localhost by default', async () => {
    const config = await loadConfig({}, temporaryFolder());

    expect(config.agents).toMatchObject([
      {
        short_id: 'demo',
        model: { provider: 'scripted' },
        embed: { allowed_origins: ['http://localhost:*'] },
        publishable_keys: [{ key: 'pk_demo' }],
      },
    ]);
  });

  it('uses the model of the environment for the default agent', async () => {
    const config = await loadConfig(
      { INLAY_MODEL_BASE_URL: 'http://127.0.0.1:1/v1', INLAY_MODEL: 'm', INLAY_MODEL_API_KEY: 'k' },
      temporaryFolder(),
    );

    expect(config.agents[0]?.model).toMatchObject({
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:1/v1',
      model: 'm',
      api_key_env: 'INLAY_MODEL_API_KEY',
    });
  });

  it('reads a configuration file in the directory, as JSON or as a module', async () => {
    const json = temporaryFolder();
    writeFileSync(join(json, 'inlay.config.json'), JSON.stringify({ agents: [agent] }));
    const module = temporaryFolder();
    writeFileSync(
      join(module, 'inlay.config.mjs'),
      `export default { agents: [${JSON.stringify({ ...agent, short_id: 'b' })}] }`,
    );

    expect((await loadConfig({}, json)).agents[0]?.short_id).toBe('a');
    expect((await loadConfig({}, module)).agents[0]?.short_id).toBe('b');
    expect((await loadConfig({ INLAY_CONFIG: 'inlay.config.json' }, json)).agents).toHaveLength(1);
  });

  it('rejects with an error if the file is missing or is invalid JSON', async () => {
    const broken = temporaryFolder();
    writeFileSync(join(broken, 'inlay.config.json'), '{');

    await expect(loadConfig({ INLAY_CONFIG: 'gone.ts' }, broken)).rejects.toThrow(
      /INLAY_CONFIG names .*gone\.ts/,
    );
    await expect(loadConfig({}, broken)).rejects.toThrow('is not valid JSON');
  });

  const write = (text: string) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'inlay.config.mjs'), text);
    return folder;
  };

  it('names the lines of invalid settings', async () => {
    const folder = write(`export default {
  agents: [
    {
      short_id: 'a', name: 'A', model: { provider: 'scripted' },
      embed: {
        allowedOrigins: [],
        default_ttl_seconds: 'long',
      },
    },
  ],
};`);

    await expect(loadConfig({}, folder)).rejects.toThrow(/line 6: .*allowedOrigins/);
    await expect(loadConfig({}, folder)).rejects.toThrow(/line 7: .*default_ttl_seconds/);
  });

  it('names the line at which a configuration file fails, and a missing default export', async () => {
    await expect(loadConfig({}, write('export default {\n  agents: nothing,\n};'))).rejects.toThrow(
      /inlay\.config\.mjs:2 failed .*nothing is not defined/,
    );
    await expect(loadConfig({}, write('export const config = {};'))).rejects.toThrow(
      'has no default export. Write `export default`',
    );
  });

  it.each([
    [{ INLAY_MODEL: 'm' }, 'INLAY_MODEL is set and INLAY_MODEL_BASE_URL is not'],
    [{ INLAY_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' }, 'and INLAY_MODEL is not'],
    [{ INLAY_MODEL_URL: 'x' }, 'INLAY_MODEL_URL is set, and the platform has no such variable'],
    [{ INLAY_PORTS: '1' }, 'INLAY_PORTS is set, and the platform has no such variable'],
    [
      { INLAY_MODEL: 'm', INLAY_MODEL_BASE_URL: 'http://127.0.0.1:1/v1/chat/completions' },
      'ends in /chat/completions, which the platform appends: remove it',
    ],
  ])('gives a notice about the variables %j', async (environment, text) => {
    const notices: string[] = [];
    await loadConfig(environment, temporaryFolder(), (notice) => notices.push(notice));

    expect(notices).toContainEqual(expect.stringContaining(text));
  });

  it('gives a notice about an agent without `embed`, and none about variables of the configuration', async () => {
    const folder = temporaryFolder();
    const model = {
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:1/v1',
      model: 'm',
      api_key_env: 'INLAY_KEY_OF_VENDOR',
    };
    writeFileSync(
      join(folder, 'inlay.config.json'),
      JSON.stringify({ agents: [{ ...agent, model }], prices: { m: {} } }),
    );
    const notices: string[] = [];
    await loadConfig({ INLAY_KEY_OF_VENDOR: 'k' }, folder, (notice) => notices.push(notice));

    expect(notices).toEqual([expect.stringContaining('agents[0] (a) has no `embed`')]);
  });
});

describe('readSettings', () => {
  it('returns defaults for a local machine, and the base URL without its trailing slash', () => {
    expect(readSettings({})).toEqual({
      port: 8787,
      host: '127.0.0.1',
      baseUrl: null,
      data: '.inlay',
      databaseUrl: null,
      redisUrl: null,
      apiKey: undefined,
    });
    expect(readSettings({ INLAY_BASE_URL: 'https://chat.example.com/' }).baseUrl).toBe(
      'https://chat.example.com',
    );
  });

  it.each([
    [{ PORT: '80x' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ INLAY_DATABASE_POOL: '0' }, 'INLAY_DATABASE_POOL'],
    [{ INLAY_DATABASE_POOL: 'ten' }, 'INLAY_DATABASE_POOL'],
    [{ INLAY_BASE_URL: 'chat.example.com' }, 'INLAY_BASE_URL'],
    [{ INLAY_BASE_URL: 'https://example.com/chat' }, 'INLAY_BASE_URL'],
    [{ DATABASE_URL: 'postgres://host' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'mysql://host/inlay' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://host/inlay', REDIS_URL: 'host:6379' }, 'REDIS_URL'],
    [{ DATABASE_URL: 'postgres://host/inlay', REDIS_URL: 'redis://host/name' }, 'REDIS_URL'],
    [{ REDIS_URL: 'redis://host' }, 'REDIS_URL is set and DATABASE_URL is not'],
  ])('throws an error that names the invalid variable of %j', (environment, name) => {
    expect(() => readSettings(environment)).toThrow(name);
  });

  it('accepts PostgreSQL with and without Redis', () => {
    const databaseUrl = 'postgresql://inlay:secret@db.example.com/inlay?sslmode=require';
    const redisUrl = 'rediss://:secret@redis.example.com:6380/2';

    expect(readSettings({ DATABASE_URL: databaseUrl })).toMatchObject({
      databaseUrl,
      redisUrl: null,
    });
    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      INLAY_DATABASE_POOL: '4',
    };
    expect(readSettings(environment)).toMatchObject({
      databaseUrl,
      databasePool: 4,
      redisUrl,
    });
  });

  it('throws an error that does not quote a URL, which may contain a password', () => {
    const read = () => readSettings({ DATABASE_URL: 'postgres://inlay:s3cret@/inlay x' });

    expect(read).toThrow(/^DATABASE_URL must be a URL such as/);
    expect(read).not.toThrow('s3cret');
  });
});
