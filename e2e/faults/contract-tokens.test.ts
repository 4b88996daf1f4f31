/** Contract of the API: the life cycle of tokens. */
import { describe, expect, it } from 'vitest';
import { describeOnBothPlatforms } from './contract/describe-on-both-platforms.ts';
import { message, userApi } from './contract/user-api.ts';

describeOnBothPlatforms((setup) => {
  describe('tokens', () => {
    it('have a user and an expiry time by the server clock', async () => {
      const { ada, user, target } = await setup();
      const { body, status } = await ada.call('GET', '/embed/config');
      const { expires_at, external_user_id } = body.token as Record<string, string>;
      expect([status, external_user_id]).toEqual([200, user]);
      const remainingMs = Date.parse(String(expires_at)) - Date.parse(String(body.server_time));
      expect(remainingMs).toBeGreaterThan(590_000);
      expect(remainingMs).toBeLessThanOrEqual(600_000);
      const shortLived = userApi(target, await target.issue(user, { ttlSeconds: 60 }));
      const { token, server_time } = (await shortLived.call('GET', '/embed/config')).body;
      const briefRest =
        Date.parse(String((token as Record<string, string>).expires_at)) -
        Date.parse(String(server_time));
      expect(briefRest).toBeLessThanOrEqual(60_000);
    });

    it('are rejected with a specific code if they are expired, revoked or unknown, or their user is blocked', async () => {
      const { target, user, as } = await setup();
      const [expired, revoked, blocked] = await Promise.all([
        target.issue(user),
        target.issue(user),
        target.issue(`${user}-blocked`),
      ]);
      await target.expire(expired.id);
      await target.revoke(revoked.id);
      await target.block(`${user}-blocked`);
      const answers = [];
      for (const token of [expired.token, revoked.token, blocked.token, 'et_never_issued', '']) {
        const { status, body } = await as(token).call('GET', '/embed/config');
        expect(body).toMatchObject({ status, retryable: false, title: expect.any(String) });
        answers.push([status, body.code]);
      }
      expect(answers).toEqual([
        [401, 'EMBED_TOKEN_EXPIRED'],
        [401, 'EMBED_TOKEN_REVOKED'],
        [401, 'EMBED_TOKEN_REVOKED'],
        [401, 'AUTHENTICATION_ERROR'],
        [401, 'AUTHENTICATION_ERROR'],
      ]);
    });

    it('of signed-in users claim the conversations of a visitor, once', async () => {
      const { ada, as, target, user } = await setup();
      const body = { publishable_key: 'pk_plain' };
      const issued = (await as('').call('POST', '/embed_tokens/anonymous', { body })).body;
      const visitor = as(String(issued.token));
      await visitor.call('POST', '/sessions', { body: { initial_events: [message('Hello')] } });
      const { visitor_secret } = issued;
      const claim = async (by: typeof ada, dry_run = false) => {
        const answer = await by.call('POST', '/embed/claim', { body: { visitor_secret, dry_run } });
        return [answer.status, answer.body.code ?? answer.body.sessions];
      };
      const eve = as((await target.issue(`${user}-eve`)).token);

      expect(await claim(visitor)).toEqual([403, 'EMBED_FEATURE_DISABLED']);
      expect(await claim(ada, true)).toEqual([200, 1]);
      expect(await claim(ada)).toEqual([200, 1]);
      expect(await claim(ada)).toEqual([200, 0]);
      expect(await claim(ada, true)).toEqual([404, 'NOT_FOUND']);
      expect(await claim(eve)).toEqual([404, 'NOT_FOUND']);

      expect((await ada.call('GET', '/sessions')).body.data).toHaveLength(1);
      expect((await visitor.call('GET', '/sessions')).body.code).toBe('EMBED_TOKEN_REVOKED');
      const again = { body: { ...body, visitor_secret } };
      const renewed = await as('').call('POST', '/embed_tokens/anonymous', again);
      expect(renewed.body.visitor_secret).toEqual(expect.stringMatching(/^vs_/));
    });

    it('are not issued to a blocked user, until the user is unblocked', async () => {
      const { target, user, issued, as } = await setup();
      await target.block(user);
      await expect(target.issue(user)).rejects.toThrow(/EMBED_USER_BLOCKED|blocked/);
      await target.unblock(user);
      const fresh = await target.issue(user);
      expect((await as(fresh.token).call('GET', '/embed/config')).status).toBe(200);
      expect((await as(issued.token).call('GET', '/embed/config')).body.code).toBe(
        'EMBED_TOKEN_REVOKED',
      );
    });

    it('are rejected on a page of another origin', async () => {
      const { target, issued } = await setup();
      const onOtherOrigin = userApi(target, issued, 'https://evil.example');
      const { status, body } = await onOtherOrigin.call('GET', '/embed/config');
      expect([status, body.code]).toEqual([403, 'EMBED_ORIGIN_NOT_ALLOWED']);
    });

    it('belong to the same visitor for a known secret, and to a new visitor for an unknown secret', async () => {
      const { as } = await setup();
      const requestToken = async (visitor_secret?: string) => {
        const body = { publishable_key: 'pk_plain', visitor_secret };
        const answer = (await as('').call('POST', '/embed_tokens/anonymous', { body })).body;
        const { body: config } = await as(String(answer.token)).call('GET', '/embed/config');
        const { external_user_id, anonymous } = config.token as Record<string, unknown>;
        expect(anonymous).toBe(true);
        return { user: String(external_user_id), secret: answer.visitor_secret };
      };
      const first = await requestToken();
      expect(first.secret).toEqual(expect.any(String));
      expect(await requestToken(String(first.secret))).toEqual({
        user: first.user,
        secret: undefined,
      });
      const otherVisitor = await requestToken('vs_nobody_has_this');
      expect(otherVisitor.user).not.toBe(first.user);
      expect(otherVisitor.secret).toEqual(expect.any(String));
      const unknown = { body: { publishable_key: 'pk_unknown' } };
      const refused = await as('').call('POST', '/embed_tokens/anonymous', unknown);
      expect([refused.status, refused.body.code]).toEqual([401, 'AUTHENTICATION_ERROR']);
    });

    it('are issued only once for the code of a hosted link', async () => {
      const { target, user, as } = await setup();
      const body = { code: await target.code(user) };
      const first = await as('').call('POST', '/embed/exchange', { body });
      const second = await as('').call('POST', '/embed/exchange', { body });
      expect(first.status).toBe(200);
      expect([second.status, second.body.code]).toEqual([404, 'NOT_FOUND']);
    });
  });
});
