/** The challenge for visitors before the second half of a publishable key's day. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnonymousTokenResponse } from '@inlay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayMs } from '../clock.ts';
import type { ConfigInput } from '../config/config.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

async function setup(visitor_challenge: ConfigInput['visitor_challenge']) {
  const server = await setupServer({
    config: { visitor_challenge },
    secrets: { CHALLENGE_SECRET: 'challenge-secret-of-the-host' },
    agent: { publishable_keys: [{ key: 'pk_test', sessions_per_day: 4 }] },
  });
  const requestToken = (fields: object = {}) =>
    server.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
      ...fields,
    });
  const getToken = async (fields: object = {}) =>
    AnonymousTokenResponse.parse(await (await requestToken(fields)).json());
  const createSession = (token: string) =>
    server.requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [message('Hello')],
    });
  return { ...server, requestToken, getToken, createSession };
}

describe('the challenge for visitors', () => {
  it('is required of new visitors when half of the day is used, and passed with a correct answer', async () => {
    const answers: object[] = [];
    const { requestToken, getToken, createSession } = await setup({
      site_key: 'site-1',
      verify: (answer) => {
        answers.push(answer);
        return answer.answer === '42';
      },
    });
    for (let n = 0; n < 2; n += 1) await createSession((await getToken()).token);

    const without = await requestToken();
    const wrong = await requestToken({ challenge_answer: '41' });
    const { token } = await getToken({ challenge_answer: '42' });

    expect(await problemOf(without)).toMatchObject({
      status: 403,
      code: 'EMBED_CHALLENGE_REQUIRED',
      details: { site_key: 'site-1' },
    });
    expect((await problemOf(wrong)).detail).toContain('not correct');
    expect(answers[1]).toEqual({ answer: '42', publishableKey: 'pk_test', origin: testOrigin });
    expect((await createSession(token)).status).toBe(200);
  });

  it('is required once of visitors of this day, whose earlier tokens start no session, but not of known visitors', async () => {
    const { requestToken, getToken, createSession, clock } = await setup({
      verify: ({ answer }) => answer === '42',
    });
    const known = await getToken();
    clock.advance(dayMs);
    const early = await getToken();
    for (let n = 0; n < 2; n += 1) await createSession((await getToken()).token);
    const secret = { visitor_secret: early.visitor_secret };

    const refused = await createSession(early.token);
    const refresh = await requestToken(secret);
    const { token } = await getToken({ ...secret, challenge_answer: '42' });

    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_EXPIRED');
    expect((await problemOf(refresh)).code).toBe('EMBED_CHALLENGE_REQUIRED');
    expect((await createSession(token)).status).toBe(200);
    expect((await requestToken(secret)).status).toBe(200);
    const returning = await getToken({ visitor_secret: known.visitor_secret });
    expect((await createSession(returning.token)).status).toBe(200);
  });

  it('is verified by `verify_url`; no visitor is admitted while the verification fails', async () => {
    const forms: string[] = [];
    const verifier = createServer(async (request, response) => {
      const form = (await request.toArray()).join('');
      forms.push(form);
      if (form.includes('broken')) response.statusCode = 500;
      response.end(JSON.stringify({ success: form.includes('good') }));
    });
    await new Promise<void>((resolve) => verifier.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void verifier.close());
    const { port } = verifier.address() as AddressInfo;
    const { requestToken, getToken, createSession, logLines } = await setup({
      site_key: 'site-1',
      verify_url: `http://127.0.0.1:${port}/siteverify`,
      secret_env: 'CHALLENGE_SECRET',
    });
    for (let n = 0; n < 2; n += 1) await createSession((await getToken()).token);

    const statuses = [];
    for (const challenge_answer of ['good', 'bad', 'broken']) {
      statuses.push((await requestToken({ challenge_answer })).status);
    }

    expect(statuses).toEqual([200, 403, 503]);
    expect(forms[0]).toBe('secret=challenge-secret-of-the-host&response=good');
    expect(logLines.join()).toContain('could not be verified');
  });
});
