import { describe, expect, it } from 'vitest';
import {
  manyKeys,
  policy,
  secondOrigin,
  setupIssuance as setup,
  systemMessageOf,
  text,
} from '../testing/setup-issuance.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

/** Token requests that are just within a limit, and the resulting fields of the record. */
const accepted: [rule: string, fields: object, inRecord: object][] = [
  ['the short id of an agent', { agent: 'test' }, { agent_version: '1' }],
  ['external_user_id of 1 character', { external_user_id: '-' }, { external_user_id: '-' }],
  [
    'external_user_id of 128 characters',
    { external_user_id: 'Z'.repeat(128) },
    { external_user_id: 'Z'.repeat(128) },
  ],
  [
    'external_user_id with all allowed characters',
    { external_user_id: 'AZaz09_.:@-' },
    { external_user_id: 'AZaz09_.:@-' },
  ],
  ['ttl_seconds of 60', { ttl_seconds: 60 }, { expires_at: '2026-01-15T12:01:00.000Z' }],
  [
    'ttl_seconds equal to the policy’s maximum',
    { ttl_seconds: 1800 },
    { expires_at: '2026-01-15T12:30:00.000Z' },
  ],
  ['the latest version', { version: '1' }, { agent_version: '1' }],
  ['an earlier version', { version: '0.9' }, { agent_version: '0.9' }],
  ['system_message without blocks', { system_message: [] }, {}],
  ['system_message of 8192 bytes', { system_message: systemMessageOf('é'.repeat(4000), 8192) }, {}],
  [
    'system_message of 8192 bytes with characters that JSON escapes',
    { system_message: [text('\n'.repeat(8192))] },
    {},
  ],
  [
    'system_message of many short blocks',
    { system_message: Array.from({ length: 400 }, () => text('x')) },
    {},
  ],
  ['budget_cents of 0', { budget_cents: 0 }, { budget_cents: 0 }],
  ['budget_cents equal to the policy’s maximum', { budget_cents: 500 }, { budget_cents: 500 }],
  ['an empty list of origins', { allowed_origins: [] }, { allowed_origins: [] }],
  [
    'origins covered by those of the policy',
    {
      allowed_origins: [
        'https://a.example.org',
        'https://*.b.example.org',
        'http://localhost:3000',
      ],
    },
    {
      allowed_origins: [
        'https://a.example.org',
        'https://*.b.example.org',
        'http://localhost:3000',
      ],
    },
  ],
  ['metadata without keys', { metadata: {} }, { metadata: {} }],
  ['metadata of 16 keys', { metadata: manyKeys(16) }, { metadata: manyKeys(16) }],
  [
    'metadata with a key of 64 characters and a value of 512 characters',
    { metadata: { ['ß'.repeat(64)]: '😀'.repeat(512) } },
    { metadata: { ['ß'.repeat(64)]: '😀'.repeat(512) } },
  ],
  [
    'metadata with white space and control characters, which are kept',
    { metadata: { ' a ': ' <b>\u0000\n ', Z: '', a: 'é' } },
    { metadata: { ' a ': ' <b>\u0000\n ', Z: '', a: 'é' } },
  ],
];

describe('§4.1: issuance', () => {
  const options = {
    agent: { previous_versions: { '0.9': {} }, embed: policy },
  };

  it.each(accepted)('§4.1: accepts %s', async (_, fields, inRecord) => {
    const { record } = await (await setup(options)).issueToken(fields);

    expect(record).toMatchObject(inRecord);
  });
});

describe('§2.2: the embed policy', () => {
  it('§2.2: has defaults for all fields', async () => {
    const { issueToken } = await setup({ agent: { embed: {} } });

    const { record: issuance, ttl } = await issueToken({});

    expect(ttl).toBe(600);
    expect(issuance).toMatchObject({ agent_version: '1', budget_cents: null });
  });

  it.each<[string, object, object, object]>([
    ['the default lifetime', { default_ttl_seconds: 61 }, {}, { ttl: 61 }],
    [
      'the requested lifetime instead of the default',
      { default_ttl_seconds: 61 },
      { ttl_seconds: 62 },
      { ttl: 62 },
    ],
    ['the maximum lifetime of 3600 seconds', {}, { ttl_seconds: 3600 }, { ttl: 3600 }],
    ['the default budget', { default_budget_cents: 7 }, {}, { budget: 7 }],
    [
      'the requested budget instead of the default',
      { default_budget_cents: 7 },
      { budget_cents: 9 },
      { budget: 9 },
    ],
    [
      'the default budget of 0',
      { default_budget_cents: 0, max_budget_cents: 9 },
      {},
      { budget: 0 },
    ],
    ['the maximum budget if there is no default', { max_budget_cents: 9 }, {}, { budget: 9 }],
    ['no budget if there is neither a default nor a maximum', {}, {}, { budget: null }],
    ['the pinned version', { pinned_version: '0.9' }, {}, { version: '0.9' }],
    [
      'the requested version instead of the pinned version',
      { pinned_version: '0.9' },
      { version: '1' },
      { version: '1' },
    ],
    ['the latest version if the policy pins none', {}, {}, { version: '1' }],
    [
      'the origins of the policy',
      { allowed_origins: [testOrigin, secondOrigin] },
      {},
      { origins: [testOrigin, secondOrigin] },
    ],
    [
      'overridden instructions if it allows them',
      { allow_agent_override: true },
      { agent_override: { system: 'Be a pirate.' } },
      {},
    ],
  ])('§2.2: leads to a token with %s', async (_, embed, fields, expected) => {
    const { issueToken } = await setup({ agent: { previous_versions: { '0.9': {} }, embed } });

    const { record: issuance, ttl } = await issueToken(fields);

    expect({
      ttl,
      budget: issuance.budget_cents,
      version: issuance.agent_version,
      origins: issuance.allowed_origins,
    }).toMatchObject(expected);
  });
});

it.each(['.', '..'])(
  '§4.1: rejects the user id %s, which cannot be a path segment',
  async (external_user_id) => {
    const { backend } = await setupServer();

    const refused = await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'test',
      external_user_id,
    });

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [
        {
          pointer: '/external_user_id',
          message: expect.stringContaining('must not be `.` or `..`'),
        },
      ],
    });
  },
);
