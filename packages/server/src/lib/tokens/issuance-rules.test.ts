import { IssuanceRecordPage } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import {
  manyKeys,
  minimalRequest,
  path,
  policy,
  setupIssuance as setup,
  systemMessageOf,
  text,
} from '../testing/setup-issuance.ts';
import { testOrigin } from '../testing/setup-server.ts';

/** A rule, fields that violate it, and the resulting error. */
type Violation = [rule: string, fields: object, pointer: string, message: string];

const tooLong = 'must have at most 8192 bytes in the texts of all blocks: shorten them';

const violations: Violation[] = [
  ['agent is required', { agent: undefined }, '/agent', 'is required'],
  ['agent is a string', { agent: 7 }, '/agent', 'must be a string'],
  ['agent is not a list', { agent: ['test'] }, '/agent', 'must be a string'],
  ['agent is not empty', { agent: '' }, '/agent', 'must name an agent'],

  [
    'external_user_id is required',
    { external_user_id: undefined },
    '/external_user_id',
    'is required',
  ],
  [
    'external_user_id is a string',
    { external_user_id: 7 },
    '/external_user_id',
    'must be a string',
  ],
  [
    'external_user_id is not null',
    { external_user_id: null },
    '/external_user_id',
    'must be a string',
  ],
  [
    'external_user_id has at least 1 character',
    { external_user_id: '' },
    '/external_user_id',
    'must have at least 1 character',
  ],
  [
    'external_user_id has at most 128 characters',
    { external_user_id: 'a'.repeat(129) },
    '/external_user_id',
    'must have at most 128 characters',
  ],
  ...[' ', '/', '+', '%', 'é', '\n', '\0', '😀', 'a b', 'ada\n'].map(
    (value): Violation => [
      `external_user_id does not contain ${JSON.stringify(value)}`,
      { external_user_id: value },
      '/external_user_id',
      'may hold only A-Z a-z 0-9 _ . : @ - (toExternalUserId of @inlay/node encodes any other id)',
    ],
  ),

  ['ttl_seconds is at least 60', { ttl_seconds: 59 }, '/ttl_seconds', 'must be at least 60'],
  ['ttl_seconds is at most 3600', { ttl_seconds: 3601 }, '/ttl_seconds', 'must be at most 3600'],
  [
    'ttl_seconds is at most the policy’s maximum',
    { ttl_seconds: 1801 },
    '/ttl_seconds',
    'must be at most 1800, the maximum of the embed policy',
  ],
  ...[60.5, '600', null, true, [600]].map(
    (value): Violation => [
      `ttl_seconds is a whole number, not ${JSON.stringify(value)}`,
      { ttl_seconds: value },
      '/ttl_seconds',
      'must be a whole number of seconds',
    ],
  ),

  [
    'version is a version of the agent',
    { version: '9' },
    '/version',
    'is not a version of this agent',
  ],
  [
    'version is not the name of an inherited property',
    { version: 'toString' },
    '/version',
    'is not a version of this agent',
  ],
  ['version is a string', { version: 1 }, '/version', 'must be a string'],
  ['version is not empty', { version: '' }, '/version', 'must name a version'],

  ['system_message is a list', { system_message: 'hi' }, '/system_message', 'must be a list'],
  [
    'system_message contains objects',
    { system_message: ['hi'] },
    '/system_message/0',
    'must be an object',
  ],
  [
    'system_message contains only text blocks',
    { system_message: [{ type: 'image', text: '' }] },
    '/system_message/0/type',
    'must be "text"',
  ],
  [
    'a block of system_message has a text',
    { system_message: [{ type: 'text' }] },
    '/system_message/0/text',
    'is required',
  ],
  [
    'a text of system_message is a string',
    { system_message: [{ type: 'text', text: 7 }] },
    '/system_message/0/text',
    'must be a string',
  ],
  [
    'a block of system_message has no other fields',
    { system_message: [{ ...text('hi'), citations: [] }] },
    '/system_message/0',
    'has no field `citations`',
  ],
  [
    'system_message has at most 8192 bytes in UTF-8',
    { system_message: systemMessageOf('é'.repeat(4000), 8193) },
    '/system_message',
    tooLong,
  ],
  [
    'system_message has at most 8192 bytes, four for each emoji',
    { system_message: [text('😀'.repeat(2049))] },
    '/system_message',
    tooLong,
  ],
  [
    'system_message has at most 8192 bytes, counted over all blocks',
    { system_message: Array.from({ length: 8193 / 3 }, () => text('xyz')) },
    '/system_message',
    tooLong,
  ],

  ['agent_override is an object', { agent_override: 'x' }, '/agent_override', 'must be an object'],
  ['agent_override has a system', { agent_override: {} }, '/agent_override/system', 'is required'],
  [
    'agent_override.system is a string',
    { agent_override: { system: [] } },
    '/agent_override/system',
    'must be a string',
  ],
  [
    'agent_override.system does not contain U+0000',
    { agent_override: { system: 'a\0b' } },
    '/agent_override/system',
    'must not hold the character U+0000',
  ],
  [
    'agent_override has no other field',
    { agent_override: { system: '', tools: [] } },
    '/agent_override',
    'has no field `tools`',
  ],

  ['budget_cents is not negative', { budget_cents: -1 }, '/budget_cents', 'must not be negative'],
  [
    'budget_cents is at most the policy’s maximum',
    { budget_cents: 501 },
    '/budget_cents',
    'must be at most 500, the maximum of the embed policy',
  ],
  ...[0.5, '5', null].map(
    (value): Violation => [
      `budget_cents is a whole number, not ${JSON.stringify(value)}`,
      { budget_cents: value },
      '/budget_cents',
      'must be a whole number of cents',
    ],
  ),

  [
    'allowed_origins is a list',
    { allowed_origins: testOrigin },
    '/allowed_origins',
    'must be a list',
  ],
  [
    'allowed_origins contains strings',
    { allowed_origins: [1] },
    '/allowed_origins/0',
    'must be a string',
  ],
  ...[
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com.evil.example',
    'https://example.org',
    'https://*.example.com',
    'http://127.0.0.1:*',
  ].map(
    (value): Violation => [
      `allowed_origins does not contain ${value}, which the policy lacks`,
      { allowed_origins: [testOrigin, value] },
      '/allowed_origins/1',
      'is not among the origins of the embed policy',
    ],
  ),
  [
    'allowed_origins are written as browsers send them',
    { allowed_origins: ['https://APP.example.com/'] },
    '/allowed_origins/0',
    `must be written as browsers send it: \`${testOrigin}\``,
  ],
  [
    'allowed_origins are origins',
    { allowed_origins: ['app.example.com'] },
    '/allowed_origins/0',
    'must be an origin such as `https://app.example.com`',
  ],
  [
    'allowed_origins does not contain *',
    { allowed_origins: ['*'] },
    '/allowed_origins/0',
    'may use * only as `https://*.example.com` or `http://localhost:*`',
  ],

  ['metadata is an object', { metadata: 'x' }, '/metadata', 'must be an object'],
  ['metadata is not a list', { metadata: [] }, '/metadata', 'must be an object'],
  [
    'metadata has at most 16 keys',
    { metadata: manyKeys(17) },
    '/metadata',
    'must have at most 16 keys',
  ],
  [
    'a key of metadata has at least 1 character',
    { metadata: { '': 'x' } },
    '/metadata',
    'keys must have 1 to 64 characters',
  ],
  [
    'a key of metadata has at most 64 characters',
    { metadata: { ['k'.repeat(65)]: '' } },
    '/metadata',
    'keys must have 1 to 64 characters',
  ],
  [
    'a value of metadata has at most 512 characters',
    { metadata: { a: 'x'.repeat(513) } },
    '/metadata',
    'values must have at most 512 characters',
  ],
  ['a value of metadata is a string', { metadata: { a: 1 } }, '/metadata/a', 'must be a string'],
  [
    'a value of metadata is not nested',
    { metadata: { 'a/b': {} } },
    '/metadata/a~1b',
    'must be a string',
  ],

  ['hosted is a boolean', { hosted: 'yes' }, '/hosted', 'must be true or false'],
  ['there is no field `ttl`', { ttl: 60 }, '', 'has no field `ttl`'],
  ['there is no field `constructor`', { constructor: {} }, '', 'has no field `constructor`'],
];

describe('§4.1: issuance', () => {
  const options = {
    agent: { previous_versions: { '0.9': {} }, embed: policy },
  };

  it.each(violations)(
    '§4.1: rejects a request that violates the rule: %s',
    async (_, fields, pointer, message) => {
      const { backend } = await setup(options);

      const response = await backend('POST', path, { ...minimalRequest, ...fields });

      expect(response.status).toBe(400);
      const problem = await problemOf(response);
      expect(problem.code).toBe('VALIDATION_ERROR');
      expect(problem.errors?.[0]).toEqual({ pointer, message });
      expect(problem.detail).toContain(message);
    },
  );

  it('§4.1: reports all invalid fields, and creates no record', async () => {
    const { backend } = await setup({ agent: { embed: policy } });

    const response = await backend('POST', path, {
      ...minimalRequest,
      ttl_seconds: 1801,
      budget_cents: 501,
      version: '9',
      allowed_origins: ['*'],
    });

    expect((await problemOf(response)).errors?.map(({ pointer }) => pointer)).toEqual([
      '/version',
      '/ttl_seconds',
      '/budget_cents',
      '/allowed_origins/0',
    ]);
    expect(IssuanceRecordPage.parse(await (await backend('GET', path)).json()).data).toEqual([]);
  });

  it('§4.1: accepts the id of an agent, but not its short id in upper case', async () => {
    const { backend, issueToken } = await setup(options);
    const { record: byShortId } = await issueToken({});

    const { record: byId } = await issueToken({ agent: byShortId.agent_id });
    const wrongCase = await backend('POST', path, { ...minimalRequest, agent: 'TEST' });

    expect(byId.agent_id).toBe(byShortId.agent_id);
    expect(wrongCase.status).toBe(404);
    expect((await problemOf(wrongCase)).code).toBe('NOT_FOUND');
  });

  it('§4.1: rejects an archived agent, and an agent without an embed policy', async () => {
    const { backend } = await setup({ agent: { embed: policy } });
    const model = { provider: 'scripted' };
    await backend('POST', '/agent/v1/agents', { short_id: 'bare', name: 'Bare', model });
    await backend('POST', '/agent/v1/agents/test/archive');

    const responses = await Promise.all(
      ['test', 'bare'].map((agent) => backend('POST', path, { ...minimalRequest, agent })),
    );

    const problems = await Promise.all(
      responses.map(async (response) => await problemOf(response)),
    );
    expect(problems.map(({ code }) => code)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(problems.map(({ errors }) => errors?.[0])).toEqual([
      { pointer: '/agent', message: 'is an archived agent' },
      { pointer: '/agent', message: 'is an agent without an embed policy' },
    ]);
  });

  it('§4.1: rejects agent_override if the policy does not allow it', async () => {
    const { backend } = await setup(options);

    const response = await backend('POST', path, {
      ...minimalRequest,
      agent_override: { system: 'x' },
    });

    expect(response.status).toBe(403);
    expect(await problemOf(response)).toMatchObject({
      code: 'EMBED_FIELD_NOT_ALLOWED',
      retryable: false,
      errors: [{ pointer: '/agent_override', message: 'is not allowed by the embed policy' }],
    });
  });

  it('§4.1 rule 1: rejects a blocked end user', async () => {
    const { backend } = await setup(options);

    const response = await backend('POST', path, { ...minimalRequest, external_user_id: 'eve' });

    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe('EMBED_USER_BLOCKED');
  });

  it.each([[undefined], [false]])(
    '§4.1: returns no hosted_url if `hosted` is %s',
    async (hosted) => {
      const { issued } = await (await setup(options)).issueToken({ hosted });

      expect(Object.keys(issued).toSorted()).toEqual(['expires_at', 'id', 'token']);
    },
  );

  it('§4.1: creates a new record and token for each request, even with the same body', async () => {
    const { issueToken } = await setup(options);

    const [first, second] = [await issueToken({}), await issueToken({})];

    expect(first.issued.id).toMatch(/^emb_/);
    expect(first.issued.id).not.toBe(second.issued.id);
    expect(first.issued.token).not.toBe(second.issued.token);
  });
});
