import type { KyselyPlugin } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { setupServer } from '../testing/setup-server.ts';
import { createApiKey } from './api-keys.ts';

const list = '/agent/v1/embed_tokens';
const config = '/agent/v1/embed/config';

/** Sets up a server that counts its look-ups of credentials, separately for `Store.priority`. */
async function setup({ failures = 2 } = {}) {
  const store = await createSqliteStore({ data: 'memory' });
  onTestFinished(() => store.close());
  const counts = { normal: 0, priority: 0 };
  // Prepared queries are transformed once, by the database that is used first.
  const lookups = new WeakSet<object>();
  const withCounter = (name: keyof typeof counts) => {
    const counter: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const isLookup = /"(token_values|api_keys)"/.test(JSON.stringify(node));
        if (isLookup && node.kind === 'SelectQueryNode') lookups.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (lookups.has(queryId)) counts[name] += 1;
        return result;
      },
    };
    return store.db.withPlugin(counter);
  };
  const server = await setupServer({
    sharedStore: {
      ...store,
      db: withCounter('normal'),
      priority: { ...store.priority, db: withCounter('priority') },
    },
    config: { limits: { source: { requests_per_second: failures, concurrent: 50 } } },
  });
  /** Returns the number of look-ups that `work` causes. */
  const lookupsOf = async (work: () => unknown) => {
    const before = { ...counts };
    await work();
    return { normal: counts.normal - before.normal, priority: counts.priority - before.priority };
  };
  const statusOf = async (authorization: string, method: string, path: string) =>
    (await server.app.request(path, { method, headers: { authorization } })).status;
  return { ...server, lookupsOf, statusOf };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('unknown credentials of one source', () => {
  it.each([
    ['made-up tokens', (n: number) => `Bearer et_made-up-${n}`, 'GET', config],
    ['made-up API keys', (n: number) => `Bearer sk-service-${n}`, 'GET', list],
    ['made-up API keys', (n: number) => `Bearer sk-service-${n}`, 'POST', `${list}/emb_x/revoke`],
  ])('are looked up at most as often as its limit allows: %s', async (_, bearer, method, path) => {
    const { lookupsOf, statusOf, clock } = await setup();
    const statuses: number[] = [];
    const send = async () => {
      statuses.push(
        ...(await Promise.all(numbers(300).map((n) => statusOf(bearer(n), method, path)))),
      );
    };

    expect(await lookupsOf(send)).toEqual({ normal: 2, priority: 0 });
    expect(statuses.filter((status) => status === 429)).toHaveLength(298);
    clock.advance(1000);
    expect(await lookupsOf(send)).toEqual({ normal: 2, priority: 0 });
  });

  it('are looked up at most as often as its limit allows: a revoked token', async () => {
    const { backend, issue, lookupsOf, statusOf } = await setup();
    const { token, id } = await issue();
    await backend('POST', `${list}/${id}/revoke`);
    await statusOf(`Bearer ${token}`, 'GET', config);

    const lookups = await lookupsOf(() =>
      Promise.all(numbers(300).map(() => statusOf(`Bearer ${token}`, 'GET', config))),
    );

    expect(lookups.normal).toBeLessThanOrEqual(2);
  });

  it('do not count against each other if they are valid', async () => {
    const { issue, statusOf } = await setup();
    const issued = await Promise.all(numbers(20).map((n) => issue(`user-${n}`)));

    const statuses = await Promise.all(
      issued.map(({ token }) => statusOf(`Bearer ${token}`, 'GET', config)),
    );

    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('are accepted after revoked tokens of the same source, such as a new token of the same page', async () => {
    const { backend, issue, statusOf } = await setup();
    const { token, id } = await issue();
    await backend('POST', `${list}/${id}/revoke`);
    for (const _ of numbers(5)) await statusOf(`Bearer ${token}`, 'GET', config);

    const { token: next } = await issue();

    expect(await statusOf(`Bearer ${next}`, 'GET', config)).toBe(200);
  });
});

describe('a credential that was valid before', () => {
  it('is accepted while made-up ones of its source are refused', async () => {
    const { issue, statusOf } = await setup();
    const { token } = await issue();
    await statusOf(`Bearer ${token}`, 'GET', config);

    await Promise.all(numbers(10).map((n) => statusOf(`Bearer et_${n}`, 'GET', config)));

    expect(await statusOf(`Bearer ${token}`, 'GET', config)).toBe(200);
  });

  it('is looked up with priority on a route that ends access, if it is an API key', async () => {
    const { store, clock, issue, lookupsOf, statusOf } = await setup();
    const { id } = await issue();
    const random = { bytes: (count: number) => Buffer.alloc(count, 7) };
    const bearer = `Bearer ${await createApiKey({ store, clock, random }, null)}`;

    const path = `${list}/${id}/revoke`;
    const first = await lookupsOf(() => statusOf(bearer, 'POST', path));
    const second = await lookupsOf(() => statusOf(bearer, 'POST', path));

    expect(first).toEqual({ normal: 1, priority: 0 });
    expect(second).toEqual({ normal: 0, priority: 1 });
  });
});
