import { IssuanceRecord, IssuanceRecordPage, IssueTokenResponse } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens';
const ada = { agent: 'test', external_user_id: 'ada' };

describe('POST /embed_tokens', () => {
  it('returns a token, and creates a record that does not contain the token', async () => {
    const { backend } = await setupServer();

    const response = await backend('POST', path, { ...ada, metadata: { plan: 'team' } });

    expect(response.status).toBe(200);
    const issued = IssueTokenResponse.parse(await response.json());
    expect(issued.token).toMatch(/^et_[\w-]{43}$/);
    expect(issued.expires_at).toBe('2026-01-15T12:10:00.000Z');
    const text = await (await backend('GET', path)).text();
    expect(text).not.toContain(issued.token);
    expect(IssuanceRecordPage.parse(JSON.parse(text)).data).toEqual([
      expect.objectContaining({
        id: issued.id,
        external_user_id: 'ada',
        metadata: { plan: 'team' },
        allowed_origins: [testOrigin],
        revoked_at: null,
        anonymous: false,
        issued_by: expect.stringMatching(/^key:key_/),
      }),
    ]);
  });

  it('adds a hosted link whose code is not the token', async () => {
    const { issue } = await setupServer();

    const { hosted_url, token } = await issue('ada', { hosted: true });

    expect(hosted_url).toMatch(
      /^https:\/\/chat\.example\.test\/hosted\/\?agent=agt_[\w-]+#c=ec_[\w-]{43}$/,
    );
    expect(hosted_url).not.toContain(token);
  });

  it('rejects an agent that does not exist', async () => {
    const { backend } = await setupServer();

    const response = await backend('POST', path, { ...ada, agent: 'nobody' });

    expect(response.status).toBe(404);
    expect((await problemOf(response)).detail).toContain('`agent`');
  });

  it('creates a record that can be read by its id', async () => {
    const { backend, issue } = await setupServer();
    const { id, token } = await issue('ada');

    const response = await backend('GET', `${path}/${id}`);

    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain(token);
    const listed = await (await backend('GET', path)).json();
    expect([JSON.parse(text)]).toEqual(IssuanceRecordPage.parse(listed).data);
    expect((await backend('GET', `${path}/emb_none`)).status).toBe(404);
  });

  it('creates a record that cannot be read with an embed token', async () => {
    const { requestAsUser, issue } = await setupServer();
    const { id, token } = await issue('ada');

    expect((await requestAsUser(token, 'GET', `${path}/${id}`)).status).toBe(404);
  });

  it('requires an API key', async () => {
    const { app } = await setupServer();

    const response = await app.request(path, { method: 'POST', body: '{}' });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await problemOf(response)).toMatchObject({
      code: 'AUTHENTICATION_ERROR',
      retryable: false,
    });
  });

  it('rejects bodies that are malformed, too large or not JSON', async () => {
    const { app, backend } = await setupServer({
      config: { limits: { request: { json_bytes: 1024 } } },
    });

    const broken = await backend('POST', path, '{"agent":');
    const large = await backend('POST', path, { ...ada, metadata: { a: 'x'.repeat(2000) } });
    const form = await app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'text/plain' },
      body: '{}',
    });

    expect(broken.status).toBe(400);
    expect(large.status).toBe(413);
    expect((await problemOf(large)).detail).toContain('1024 bytes');
    expect(form.status).toBe(415);
  });
});

describe('a token', () => {
  it('is revoked immediately, and keeps the same record when it is revoked again', async () => {
    const { backend, requestAsUser, issue, clock } = await setupServer();
    const { id, token } = await issue();
    const other = await issue();

    const first = await (await backend('POST', `${path}/${id}/revoke`)).json();
    clock.advance(5000);
    const second = await (await backend('POST', `${path}/${id}/revoke`)).json();

    expect(IssuanceRecord.parse(first).revoked_at).toBe('2026-01-15T12:00:00.000Z');
    expect(second).toEqual(first);
    const refused = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await requestAsUser(other.token, 'GET', '/agent/v1/embed/config')).status).toBe(200);
  });

  it('causes one bus message if it is revoked twice', async () => {
    const { backend, bus, clock, issue } = await setupServer();
    const { id } = await issue();
    const busMessages: unknown[] = [];
    bus.subscribe((message) => busMessages.push(message));

    await backend('POST', `${path}/${id}/revoke`);
    await backend('POST', `${path}/${id}/revoke`);

    expect(busMessages).toEqual([
      { kind: 'token_ended', issuanceId: id, code: 'EMBED_TOKEN_REVOKED', at: clock.now() },
    ]);
  });

  it('becomes invalid when it expires, or immediately when the backend expires it', async () => {
    const { backend, requestAsUser, issue, clock } = await setupServer();
    const long = await issue('ada', { ttl_seconds: 3600 });
    const short = await issue('ada', { ttl_seconds: 60 });

    clock.advance(60_000);
    const onTime = await requestAsUser(short.token, 'GET', '/agent/v1/embed/config');
    const ended = await backend('POST', `${path}/${long.id}/expire`);
    const afterExpire = await requestAsUser(long.token, 'GET', '/agent/v1/embed/config');

    expect((await problemOf(onTime)).code).toBe('EMBED_TOKEN_EXPIRED');
    expect(IssuanceRecord.parse(await ended.json()).expires_at).toBe('2026-01-15T12:01:00.000Z');
    expect((await problemOf(afterExpire)).code).toBe('EMBED_TOKEN_EXPIRED');
  });
});

describe('an embed token as the credential', () => {
  it.each([
    ['POST', path],
    ['GET', path],
    ['POST', `${path}/emb_x/revoke`],
    ['POST', '/agent/v1/agents/test/end_users/ada/block'],
    ['DELETE', path],
    ['GET', '/agent/v1/agents'],
  ])('gets a 404 for %s %s', async (method, target) => {
    const { app, requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    const fromPage = await requestAsUser(token, method, target);
    const fromElsewhere = await app.request(target, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });

    expect(fromPage.status).toBe(404);
    expect(fromElsewhere.status).toBe(404);
  });
});
