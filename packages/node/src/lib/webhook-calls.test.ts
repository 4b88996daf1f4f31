import { expect, it } from 'vitest';
import { createPlatformClient } from './platform-client.ts';
import { json, startStubPlatform } from './testing/stub-platform.ts';

const endpoint = {
  type: 'webhook_endpoint',
  id: 'whe_1',
  url: 'https://example.com/webhooks',
  description: null,
  events: ['session.created'],
  include: [],
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  previous_secret_ends_at: null,
  created_at: '2026-01-15T12:00:00.000Z',
  updated_at: '2026-01-15T12:00:00.000Z',
};
const delivery = {
  type: 'webhook_delivery',
  id: 'whd_1',
  endpoint_id: 'whe_1',
  event_type: 'webhook.test',
  data: {},
  status: 'queued',
  attempts: 0,
  created_at: '2026-01-15T12:00:00.000Z',
  last_attempt_at: null,
  next_attempt_at: null,
  error: null,
  response: null,
};
const pageOf = (item: object) => json({ data: [item], next_cursor: null, next_page: null });

it('the methods for webhook endpoints call their routes', async () => {
  const replayed = { type: 'webhook_replay', endpoint_id: 'whe_1', queued: 2 };
  const deleted = { type: 'webhook_endpoint_deleted', id: 'whe_1' };
  const { baseUrl, requests } = await startStubPlatform(
    pageOf(endpoint),
    json(endpoint),
    json(endpoint),
    json(endpoint),
    json(endpoint),
    json(delivery),
    pageOf(delivery),
    json(delivery),
    json(replayed),
    json(deleted),
  );
  const { webhookEndpoints } = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

  await webhookEndpoints.list({ limit: 5 });
  await webhookEndpoints.get('whe_1');
  await webhookEndpoints.create({ url: endpoint.url, events: ['session.created'] });
  await webhookEndpoints.update('whe_1', { disabled: true });
  await webhookEndpoints.rotateSecret('whe_1');
  await webhookEndpoints.test('whe_1');
  await webhookEndpoints.deliveries('whe_1', { status: 'failed' });
  await webhookEndpoints.resend('whe_1', 'whd_1');
  expect((await webhookEndpoints.replay('whe_1', period)).queued).toBe(2);
  await webhookEndpoints.delete('whe_1');

  const base = '/agent/v1/webhook_endpoints';
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${base}?limit=5`,
    `GET ${base}/whe_1`,
    `POST ${base}`,
    `POST ${base}/whe_1`,
    `POST ${base}/whe_1/rotate_secret`,
    `POST ${base}/whe_1/test`,
    `GET ${base}/whe_1/deliveries?status=failed`,
    `POST ${base}/whe_1/deliveries/whd_1/resend`,
    `POST ${base}/whe_1/replay`,
    `DELETE ${base}/whe_1`,
  ]);
  await expect(
    webhookEndpoints.deliveries('whe_1', { state: 'failed' } as never),
  ).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
