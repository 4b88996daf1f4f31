import { expect, it, onTestFinished } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

it.each([
  ['health checks', '/meta/v1/health', {}],
  ['files', '/favicon.ico', {}],
  ['made-up tokens', '/agent/v1/embed/config', { authorization: 'Bearer et_made-up' }],
])('%s that arrived before a revocation do not delay it', async (_, path, headers) => {
  const { app, backend, issue, close } = await setupServer();
  onTestFinished(close);
  const { id } = await issue();
  const order: string[] = [];

  const others = Array.from({ length: 200 }, async () => {
    await app.request(path, { headers });
    order.push('other');
  });
  const { status } = await backend('POST', `/agent/v1/embed_tokens/${id}/revoke`);
  order.push('revocation');
  await Promise.all(others);

  expect(status).toBe(200);
  expect(order).toHaveLength(201);
  expect(order.indexOf('revocation')).toBeLessThan(50);
});
