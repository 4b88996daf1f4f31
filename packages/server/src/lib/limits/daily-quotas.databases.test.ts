import { AnonymousTokenResponse } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { createAgentRegistry } from '../agents/agent-registry.ts';
import { parseConfig } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer } from '../testing/setup-server.ts';
import { countDailySession, type KeyVisitor, sourceSubject } from './daily-quotas.ts';

async function setup(quotas: object) {
  const agent = { publishable_keys: [{ key: 'pk_test', ...quotas }] };
  const server = await setupServer({ agent });
  const { store, clock, bus } = server;
  const config = parseConfig(
    { agents: [{ short_id: 'test', name: 'Test', model: { provider: 'scripted' }, ...agent }] },
    'test',
  );
  const log = createLogger(clock.now, () => {});
  const agents = await createAgentRegistry({ config, store, bus, clock, log });
  return {
    clock,
    services: { store, clock, agents },
    /** Requests a visitor's token, for a new visitor or a returning one. */
    requestToken: (visitor_secret?: string) =>
      server.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: 'pk_test',
        visitor_secret,
      }),
  };
}

let visitors = 0;
/** Creates a visitor with a unique source address. */
function visitor(): KeyVisitor {
  visitors += 1;
  return {
    publishableKey: 'pk_test',
    externalUserId: `anon_${visitors}`,
    source: sourceSubject('pk_test', `203.0.113.${visitors}`),
  };
}

const codeOf = async (response: Response) => (await problemOf(response)).code;

describe('the daily quota of a publishable key', () => {
  it('Q01: is not exceeded by sessions that start simultaneously, and is reset the next day', async () => {
    const { requestToken, clock, services } = await setup({ sessions_per_day: 3 });

    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => countDailySession(services, visitor())),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = await requestToken();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await codeOf(refused)).toBe('EMBED_QUOTA_EXCEEDED');
    clock.advance(12 * 3_600_000);
    expect((await requestToken()).status).toBe(200);
    await countDailySession(services, visitor());
  });

  it('rejects sessions and new visitors when `spend_cents_per_day` is spent', async () => {
    const { requestToken, services, clock } = await setup({ spend_cents_per_day: 1 });
    const day = { publishable_key: 'pk_test', day: '2026-01-15', sessions: 0 };
    await services.store.db
      .insertInto('publishable_key_days')
      .values({ ...day, spent_microcents: 1_000_000 })
      .execute();

    expect(await codeOf(await requestToken())).toBe('EMBED_QUOTA_EXCEEDED');
    await expect(countDailySession(services, visitor())).rejects.toMatchObject({
      code: 'EMBED_QUOTA_EXCEEDED',
    });
    clock.advance(12 * 3_600_000);
    expect((await requestToken()).status).toBe(200);
  });

  it('does not apply to token refreshes', async () => {
    const { requestToken, services } = await setup({ sessions_per_day: 1 });
    const { visitor_secret } = AnonymousTokenResponse.parse(await (await requestToken()).json());
    await countDailySession(services, visitor());

    expect((await requestToken()).status).toBe(429);
    expect((await requestToken(visitor_secret)).status).toBe(200);
  });

  it.each([{ sessions_per_day: 0 }, { spend_cents_per_day: 0 }])(
    'rejects all new visitors and sessions if it is %j',
    async (quotas) => {
      const { requestToken, services } = await setup(quotas);

      expect(await codeOf(await requestToken())).toBe('EMBED_QUOTA_EXCEEDED');
      await expect(countDailySession(services, visitor())).rejects.toMatchObject({
        code: 'EMBED_QUOTA_EXCEEDED',
      });
    },
  );
});
