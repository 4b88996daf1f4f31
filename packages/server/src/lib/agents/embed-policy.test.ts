import { AgentResource } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/agents/test';

type Violation = [violation: string, policy: object, pointer: string, message: string];

const secondsMessage = 'must be a whole number of seconds';
const centsMessage = 'must be a whole number of cents';

const violations: Violation[] = [
  ...(['default_ttl_seconds', 'max_ttl_seconds'] as const).flatMap((field): Violation[] => [
    [`a ${field} below 60`, { [field]: 59 }, `/${field}`, 'must be at least 60'],
    [`a ${field} above 3600`, { [field]: 3601 }, `/${field}`, 'must be at most 3600'],
    [`a fractional ${field}`, { [field]: 60.5 }, `/${field}`, secondsMessage],
    [`a string as ${field}`, { [field]: '600' }, `/${field}`, secondsMessage],
    [`null as ${field}`, { [field]: null }, `/${field}`, secondsMessage],
  ]),
  [
    'a default_ttl_seconds above the maximum',
    { default_ttl_seconds: 601, max_ttl_seconds: 600 },
    '/default_ttl_seconds',
    'must not be over max_ttl_seconds',
  ],
  ...(['default_budget_cents', 'max_budget_cents'] as const).flatMap((field): Violation[] => [
    [`a negative ${field}`, { [field]: -1 }, `/${field}`, 'must not be negative'],
    [`a fractional ${field}`, { [field]: 0.5 }, `/${field}`, centsMessage],
    [`a string as ${field}`, { [field]: '5' }, `/${field}`, centsMessage],
  ]),
  [
    'a default_budget_cents above the maximum',
    { default_budget_cents: 6, max_budget_cents: 5 },
    '/default_budget_cents',
    'must not be over max_budget_cents',
  ],
  [
    'an allowed origin without a scheme',
    { allowed_origins: [testOrigin, 'app.example.com'] },
    '/allowed_origins/1',
    'must be an origin such as `https://app.example.com`',
  ],
  [
    'a string as allowed_origins',
    { allowed_origins: testOrigin },
    '/allowed_origins',
    'must be a list',
  ],
  [
    'a string as allow_agent_override',
    { allow_agent_override: 'no' },
    '/allow_agent_override',
    'must be true or false',
  ],
  [
    'a pinned_version that the agent does not have',
    { pinned_version: '2' },
    '/pinned_version',
    'must be a version of this agent: the latest or an earlier one',
  ],
  [
    'an invalid user id in blocked_end_users',
    { blocked_end_users: ['ada', 'a b'] },
    '/blocked_end_users/1',
    'may hold only A-Z a-z 0-9 _ . : @ - (toExternalUserId of @inlay/node encodes any other id)',
  ],
  [
    'a limit of 0',
    { limits: { requests_per_second: 0, concurrent: 1 } },
    '/limits/requests_per_second',
    'must be at least 1',
  ],
  ['an unknown field', { maximum_ttl: 60 }, '', 'has no field `maximum_ttl`'],
];

const acceptedPolicies: [bound: string, policy: object][] = [
  ['a lifetime of 60 seconds', { default_ttl_seconds: 60, max_ttl_seconds: 60 }],
  ['a lifetime of 3600 seconds', { default_ttl_seconds: 3600, max_ttl_seconds: 3600 }],
  ['budgets of 0', { default_budget_cents: 0, max_budget_cents: 0 }],
  ['no budgets', { default_budget_cents: null, max_budget_cents: null }],
  ['no origins', { allowed_origins: [] }],
  [
    'wildcards for the subdomain and the port of origins',
    { allowed_origins: ['https://a.example', 'https://*.b.example', 'http://localhost:*'] },
  ],
  ['limits of 1', { limits: { requests_per_second: 1, concurrent: 1 } }],
];

describe('§2.2: an embed policy', () => {
  it.each(violations)('§2.2: is rejected with %s', async (_, embed, pointer, message) => {
    const { backend } = await setupServer();

    for (const checkedPath of [path, `${path}/embed/check`]) {
      const response = await backend('POST', checkedPath, { embed });

      expect(response.status).toBe(400);
      expect((await problemOf(response)).errors?.[0]).toEqual({
        pointer: `/embed${pointer}`,
        message,
      });
    }
  });

  it.each(acceptedPolicies)('§2.2: is accepted with %s', async (_, embed) => {
    const { backend } = await setupServer();

    const response = await backend('POST', path, { embed });

    expect(AgentResource.parse(await response.json()).embed).toMatchObject(embed);
  });

  it('§2.2: can be removed, after which no token is issued, and set again with the defaults', async () => {
    const { backend } = await setupServer();
    const token = { agent: 'test', external_user_id: 'ada' };

    const without = await backend('POST', path, { embed: null });
    const refused = await backend('POST', '/agent/v1/embed_tokens', token);
    const again = await backend('POST', path, { embed: { allowed_origins: [testOrigin] } });

    expect(AgentResource.parse(await without.json()).embed).toBeNull();
    expect(refused.status).toBe(409);
    expect(AgentResource.parse(await again.json()).embed).toMatchObject({
      default_ttl_seconds: 600,
      max_ttl_seconds: 3600,
      default_budget_cents: null,
      max_budget_cents: null,
      allow_agent_override: false,
      allow_visitor_claim: false,
      pinned_version: null,
      blocked_end_users: [],
    });
  });
});
