import { expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

async function setup() {
  const server = await setupServer();
  const linesOf = (status: number) =>
    server.logLines.map((line) => JSON.parse(line)).filter((line) => line.status === status);
  return { ...server, linesOf };
}

it('at most 20 refused requests a second without a credential are logged, and the others are counted', async () => {
  const { app, clock, linesOf } = await setup();

  for (let n = 0; n < 100; n += 1) await app.request('/nowhere');
  clock.advance(1000);
  await app.request('/nowhere');

  const lines = linesOf(404);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toMatchObject({ code: 'NOT_FOUND', unlogged: 80 });
});

it('all refused requests with a valid credential are logged', async () => {
  const { backend, linesOf } = await setup();

  for (let n = 0; n < 50; n += 1) await backend('GET', '/agent/v1/nowhere');

  expect(linesOf(404)).toHaveLength(50);
});
