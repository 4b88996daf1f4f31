/** Rules 3.2 and 4.2: the exchange code of a hosted link. */
import { expect, it } from 'vitest';
import { expectInvalid, expectProblem, startReferenceServer, utcTime } from './setup/server.ts';

const exchangePath = '/agent/v1/embed/exchange';

/** Starts a server, and issues a token for ten minutes with a hosted link. */
async function startWithLink() {
  const server = await startReferenceServer();
  const body = { agent: 'helper', external_user_id: 'ada', ttl_seconds: 600, hosted: true };
  const { body: issued } = await server.backend('POST', '/agent/v1/embed_tokens', body);
  const code = new URLSearchParams(new URL(issued.hosted_url).hash.slice(1)).get('c');
  return {
    ...server,
    code,
    redeem: (value: unknown) => server.page('POST', exchangePath, { code: value }),
  };
}

it('3.2 a code that is used within 60 seconds returns a token and its expiry', async () => {
  const { code, redeem, clock, asUser } = await startWithLink();
  clock.advance(59_999);

  const { status, body } = await redeem(code);

  expect(status).toBe(200);
  expect(body).toEqual({ token: expect.any(String), expires_at: utcTime });
  const config = await asUser(body.token)('GET', '/agent/v1/embed/config');
  expect(config.body.token.external_user_id).toBe('ada');
});

it('3.2, 8.4 the code of a hosted link gets 404 NOT_FOUND after 60 seconds', async () => {
  const { code, redeem, clock } = await startWithLink();
  clock.advance(60_000);

  expectProblem(await redeem(code), 404, 'NOT_FOUND');
});

it('3.2, 8.4 a used code of a hosted link gets 404 NOT_FOUND', async () => {
  const { code, redeem } = await startWithLink();
  await redeem(code);

  expectProblem(await redeem(code), 404, 'NOT_FOUND');
});

it('3.2 only one of several simultaneous uses of a code succeeds', async () => {
  const { code, redeem } = await startWithLink();

  const replies = await Promise.all(Array.from({ length: 5 }, () => redeem(code)));

  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

it('3.2 the token outlives the code', async () => {
  const { code, redeem, clock, asUser } = await startWithLink();
  const { body } = await redeem(code);

  clock.advance(61_000);

  expect(Date.parse(body.expires_at)).toBeGreaterThan(clock.now());
  expect((await asUser(body.token)('GET', '/agent/v1/embed/config')).status).toBe(200);
});

it('4.2 an exchange needs no API key', async () => {
  const { code, request } = await startWithLink();

  expect((await request('POST', exchangePath, { body: { code } })).status).toBe(200);
});

it('4.2 an invalid code gets 404 NOT_FOUND, as does a used or expired code', async () => {
  const { code, redeem } = await startWithLink();

  for (const invalid of ['', 'x', `${code}x`, 'et_none']) {
    expectProblem(await redeem(invalid), 404, 'NOT_FOUND');
  }
  expect((await redeem(code)).status).toBe(200);
});

it('4.2 a body without a code gets an error that names the field', async () => {
  const { page } = await startWithLink();

  expectInvalid(await page('POST', exchangePath, {}), '/code');
});
