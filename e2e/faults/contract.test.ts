/**
 * The agent service as a client meets it, on the real server and on the scripted platform that
 * `@inlay/client/testing` offers: what holds for the one holds for the other.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { message, person } from './contract/person.ts';
import { realPlatforms, scriptedPlatforms } from './contract/targets.ts';

const everyPlatform = [scriptedPlatforms(), await realPlatforms()];
afterAll(async () => {
  for (const platforms of everyPlatform) await platforms.close();
});

let people = 0;
/** Somebody whom no other test knows. */
const somebody = () => {
  people += 1;
  return `person-${people}`;
};

describe.each(everyPlatform)('$name', (platforms) => {
  const setup = async (agent: Parameters<typeof platforms.target>[0] = 'plain') => {
    const target = await platforms.target(agent);
    const user = somebody();
    const issued = await target.issue(user);
    const ada = person(target, issued);
    const as = (token: string) => person(target, { token });
    return { target, user, issued, ada, as };
  };
  const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);
  const answered = [
    'user.message',
    'session.status_running',
    'span.model_request_start',
    'agent.message',
    'span.model_request_end',
    'session.status_idle',
  ];
  const config = '/embed/config';

  describe('tokens', () => {
    it('says whose a token is, by its own clock', async () => {
      const { ada, user, target } = await setup();
      const { body, status } = await ada.call('GET', config);
      const { expires_at, external_user_id } = body.token as Record<string, string>;
      expect([status, external_user_id]).toEqual([200, user]);
      const rest = Date.parse(String(expires_at)) - Date.parse(String(body.server_time));
      expect(rest).toBeGreaterThan(590_000);
      expect(rest).toBeLessThanOrEqual(600_000);
      const brief = person(target, await target.issue(user, { ttlSeconds: 60 }));
      const { token, server_time } = (await brief.call('GET', config)).body;
      const briefRest =
        Date.parse(String((token as Record<string, string>).expires_at)) -
        Date.parse(String(server_time));
      expect(briefRest).toBeLessThanOrEqual(60_000);
    });

    it('refuses what ended, with the reason, and what was never issued', async () => {
      const { target, user, as } = await setup();
      const [expired, revoked, barred] = await Promise.all([
        target.issue(user),
        target.issue(user),
        target.issue(`${user}-blocked`),
      ]);
      await target.expire(expired.id);
      await target.revoke(revoked.id);
      await target.block(`${user}-blocked`);
      const answers = [];
      for (const token of [expired.token, revoked.token, barred.token, 'et_never_issued', '']) {
        const { status, body } = await as(token).call('GET', config);
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

    it('issues nothing to a blocked person, and something when the block is taken back', async () => {
      const { target, user, issued, as } = await setup();
      await target.block(user);
      await expect(target.issue(user)).rejects.toThrow(/EMBED_USER_BLOCKED|blocked/);
      await target.unblock(user);
      const fresh = await target.issue(user);
      expect((await as(fresh.token).call('GET', config)).status).toBe(200);
      expect((await as(issued.token).call('GET', config)).body.code).toBe('EMBED_TOKEN_REVOKED');
    });

    it('lets in no page of another origin', async () => {
      const { target, issued } = await setup();
      const elsewhere = person(target, issued, 'https://evil.example');
      const { status, body } = await elsewhere.call('GET', config);
      expect([status, body.code]).toEqual([403, 'EMBED_ORIGIN_NOT_ALLOWED']);
    });

    it('knows a visitor again by their secret, and makes a new one of any other', async () => {
      const { as } = await setup();
      const visit = async (visitor_secret?: string) => {
        const body = { publishable_key: 'pk_plain', visitor_secret };
        const answer = (await as('').call('POST', '/embed_tokens/anonymous', { body })).body;
        const { body: about } = await as(String(answer.token)).call('GET', config);
        const { external_user_id, anonymous } = about.token as Record<string, unknown>;
        expect(anonymous).toBe(true);
        return { user: String(external_user_id), secret: answer.visitor_secret };
      };
      const first = await visit();
      expect(first.secret).toEqual(expect.any(String));
      expect(await visit(String(first.secret))).toEqual({ user: first.user, secret: undefined });
      const stranger = await visit('vs_nobody_has_this');
      expect(stranger.user).not.toBe(first.user);
      expect(stranger.secret).toEqual(expect.any(String));
      const unknown = { body: { publishable_key: 'pk_unknown' } };
      const refused = await as('').call('POST', '/embed_tokens/anonymous', unknown);
      expect([refused.status, refused.body.code]).toEqual([401, 'AUTHENTICATION_ERROR']);
    });

    it('exchanges a code once', async () => {
      const { target, user, as } = await setup();
      const body = { code: await target.code(user) };
      const first = await as('').call('POST', '/embed/exchange', { body });
      const second = await as('').call('POST', '/embed/exchange', { body });
      expect(first.status).toBe(200);
      expect([second.status, second.body.code]).toEqual([404, 'NOT_FOUND']);
    });
  });

  describe('sessions', () => {
    it('answers a first message, and keeps the log in order', async () => {
      const { ada } = await setup();
      const id = await ada.create('Hi');
      await (await ada.follow(id)).until('session.status_idle');
      const log = await ada.log(id);
      expect(types(log)).toEqual(answered);
      expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(log[3]?.content).toEqual([{ type: 'text', text: 'You said: Hi' }]);
      expect(log[5]?.stop_reason).toEqual({ type: 'end_turn' });
      const { body } = await ada.call('GET', `/sessions/${id}`);
      expect(body).toMatchObject({ type: 'session', id, status: 'idle', title: null });
    });

    it('shows nobody the session of another', async () => {
      const { ada, target } = await setup();
      const id = await ada.create();
      const bob = person(target, await target.issue(somebody()));
      const attempts = await Promise.all([
        bob.call('GET', `/sessions/${id}`),
        bob.call('GET', `/sessions/${id}/events`),
        bob.call('DELETE', `/sessions/${id}`),
        bob.send(id, [message('Hi')]),
        bob.send(id, [{ type: 'user.interrupt' }]),
        bob.call('GET', '/sessions/ses_nobody_has_this'),
        bob.call('GET', `/sessions/${id}/events/stream`),
      ]);
      for (const { status, body } of attempts) {
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
      expect((await bob.call('GET', '/sessions')).body.data).toEqual([]);
    });

    it('lists them newest first, page by page, without the archived', async () => {
      const { ada } = await setup();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ids.unshift(await ada.create());
        // The order is by the millisecond of the creation.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const { body: first } = await ada.call('GET', '/sessions?limit=2');
      const { body: rest } = await ada.call('GET', `/sessions?limit=2&page=${first.next_page}`);
      const seen = [...(first.data as { id: string }[]), ...(rest.data as { id: string }[])];
      expect(seen.map(({ id }) => id)).toEqual(ids);
      expect([first.next_cursor, rest.next_page]).toEqual([first.next_page, null]);

      const archived = await ada.call('POST', `/sessions/${ids[0]}/archive`, { body: {} });
      expect(archived.body.archived_at).toEqual(expect.any(String));
      const { body: left } = await ada.call('GET', '/sessions');
      expect((left.data as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(1));
      expect((await ada.send(String(ids[0]), [message('Hi')])).body.code).toBe('CONFLICT');
    });

    it('changes title and metadata, and deletes', async () => {
      const { ada } = await setup();
      const id = await ada.create();
      const change = { title: 'Tea', metadata: { a: '1', b: '2' } };
      await ada.call('POST', `/sessions/${id}`, { body: change });
      const { body } = await ada.call('POST', `/sessions/${id}`, {
        body: { metadata: { a: null } },
      });
      expect(body).toMatchObject({ title: 'Tea', metadata: { b: '2' } });
      expect(types(await ada.log(id))).toEqual(['session.updated', 'session.updated']);

      const stream = await ada.follow(id);
      await stream.until('session.updated');
      await ada.call('DELETE', `/sessions/${id}`);
      expect((await stream.toEnd()).at(-1)?.data.type).toBe('session.deleted');
      expect((await ada.call('GET', `/sessions/${id}`)).status).toBe(404);
    });

    it('names the field that is wrong, and does nothing', async () => {
      const { ada } = await setup();
      const id = await ada.create();
      const wrong = [
        await ada.send(id, []),
        await ada.send(id, [{ type: 'user.message', content: [] }]),
        await ada.send(id, [{ type: 'user.tool_confirmation', tool_use_id: 'x', result: 'allow' }]),
        await ada.call('GET', `/sessions/${id}/events?limit=0`),
        await ada.call('GET', `/sessions/${id}/events?order=up`),
        await ada.call('GET', `/sessions/${id}/events?wait=5`),
        await ada.call('GET', `/sessions/${id}/events?after_seq=0&wait=26`),
        await ada.call('POST', `/sessions/${id}/feedback`, {
          body: { event_id: 'x', rating: 'up' },
        }),
      ];
      expect(wrong.map(({ status, body }) => [status, pointersOf(body)])).toEqual([
        [400, ['/events']],
        [400, ['/events/0/content']],
        [400, ['/events/0/tool_use_id']],
        [400, ['/query/limit']],
        [400, ['/query/order']],
        [400, ['/query/wait']],
        [400, ['/query/wait']],
        [400, ['/event_id']],
      ]);
      expect(await ada.log(id)).toEqual([]);
    });

    it('stops at the budget', async () => {
      const { target, user } = await setup();
      const poor = person(target, await target.issue(user, { budgetCents: 0 }));
      const body = { initial_events: [message('Hi')] };
      const refused = await poor.call('POST', '/sessions', { body });
      expect([refused.status, refused.body.code]).toEqual([402, 'EMBED_BUDGET_EXCEEDED']);
      expect((await poor.call('GET', '/sessions')).body.data).toEqual([]);
    });

    it('takes an opinion of an answer', async () => {
      const { ada } = await setup();
      const id = await ada.create('Hi');
      const { data } = await (await ada.follow(id)).until('agent.message');
      const body = { event_id: data.id, rating: 'down', comment: 'Too short' };
      const answer = await ada.call('POST', `/sessions/${id}/feedback`, { body });
      expect(answer.body).toMatchObject({ type: 'feedback', session_id: id, ...body });
    });
  });

  describe('idempotency', () => {
    it('S26: appends once for a key, and refuses the key for another body', async () => {
      const { ada } = await setup();
      const id = await ada.create();
      const first = await ada.send(id, [message('once')], 'key-1');
      const again = await ada.send(id, [message('once')], 'key-1');
      const other = await ada.send(id, [message('twice')], 'key-1');
      expect(again).toEqual(first);
      expect([other.status, other.body.code]).toEqual([409, 'CONFLICT']);
      const said = (await ada.log(id)).filter(({ type }) => type === 'user.message');
      expect(said).toHaveLength(1);
    });

    it('S26: finds the session of a first call, as a stream or as JSON', async () => {
      const { ada } = await setup();
      const body = { initial_events: [message('Hi')] };
      const headers = { 'idempotency-key': 'create-1' };
      const stream = await ada.createStream(body, headers);
      const created = await stream.until('session.created');
      stream.cut();
      const again = await ada.call('POST', '/sessions', { body, headers });
      expect(again.body.id).toBe((created.data.session as { id: string }).id);
      const third = await ada.createStream(body, headers);
      await third.until('session.status_idle');
      expect(types(third.frames.map(({ data }) => data))).toEqual(
        expect.arrayContaining(['session.created', ...answered]),
      );
      expect((await ada.call('GET', '/sessions')).body.data).toHaveLength(1);
      const other = { body: { initial_events: [message('Ho')] }, headers };
      expect((await ada.call('POST', '/sessions', other)).body.code).toBe('CONFLICT');
    });
  });

  describe('streams', () => {
    it('sends an answer live, under the id that it has in the log', async () => {
      const { ada } = await setup('thinker');
      const stream = await ada.createStream({ initial_events: [message('Hi')] });
      await stream.until('session.status_idle');
      const lasting = stream.frames.filter(({ data }) => !data.type.startsWith('event_'));
      expect(types(lasting.map(({ data }) => data))).toEqual([
        'session.created',
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'agent.thinking',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(lasting.map(({ id }) => id)).toEqual([undefined, '1', '2', '3', '4', '5', '6', '7']);
      for (const { event, data } of stream.frames) expect(event).toBe(data.type);
      const live = stream.frames.filter(({ data }) => data.type.startsWith('event_'));
      expect(new Set(live.map(({ id }) => id?.split('.')[0]))).toEqual(new Set(['3', '4']));
      for (const type of ['agent.thinking', 'agent.message']) {
        const whole = lasting.find(({ data }) => data.type === type)?.data;
        const text = live
          .filter(({ data }) => data.event_id === whole?.id)
          .map(({ data }) => (data.delta as { content: { text: string } }).content.text);
        expect(whole?.content).toEqual([{ type: 'text', text: text.join('') }]);
      }
    });

    it('S09: resumes after any id, and replays all of it after one that it never had', async () => {
      const { ada } = await setup();
      const id = await ada.create('Hi');
      await (await ada.follow(id)).until('session.status_idle');
      const firstSeq = async (lastEventId: string) => {
        const stream = await ada.follow(id, lastEventId);
        await stream.until('session.status_idle');
        stream.cut();
        return stream.frames[0]?.data.seq;
      };
      expect(await firstSeq('0')).toBe(1);
      expect(await firstSeq('3')).toBe(4);
      expect(await firstSeq('3.7')).toBe(4);
      expect(await firstSeq('999')).toBe(1);
      expect(await firstSeq('garbage')).toBe(1);
    });

    it('S01: tells one who comes in the middle of an answer what was said so far', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('Hi');
      await (await ada.follow(id)).until('event_delta');
      const late = await ada.follow(id, '3');
      const { data } = await late.until('event_delta');
      expect(data.delta).toEqual({
        type: 'content_delta',
        index: 0,
        content: { type: 'text', text: 'One ' },
      });
      expect(types(late.frames.map((frame) => frame.data))).toEqual(['event_start', 'event_delta']);
    });

    it('R04: ends those of a token that is revoked or expires, and no other', async () => {
      for (const end of ['revoke', 'expire'] as const) {
        const { target, user, ada, issued } = await setup('slow');
        const other = person(target, await target.issue(user));
        const id = await ada.create('Hi');
        const [ending, going] = [await ada.follow(id), await other.follow(id)];
        await Promise.all([ending.until('event_delta'), going.until('event_delta')]);
        await target[end](issued.id);
        const last = (await ending.toEnd()).at(-1);
        const code = end === 'revoke' ? 'EMBED_TOKEN_REVOKED' : 'EMBED_TOKEN_EXPIRED';
        expect(last?.data).toMatchObject({
          type: 'session.error',
          error: { type: 'embed_token_error', code, retry_status: { type: 'terminal' } },
        });
        expect(last?.data.seq).toBeUndefined();
        await other.send(id, [{ type: 'user.interrupt' }]);
        await going.until('session.status_idle');
        expect(types(await other.log(id))).not.toContain('session.error');
      }
    });

    it('R07: stops what runs for a person who is blocked', async () => {
      const { target, user, ada } = await setup('slow');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await target.block(user);
      expect((await stream.toEnd()).at(-1)?.data.error).toMatchObject({
        code: 'EMBED_TOKEN_REVOKED',
      });
      await target.unblock(user);
      const again = person(target, await target.issue(user));
      await (await again.follow(id)).until('session.status_idle');
      expect(types(await again.log(id))).toContain('user.interrupt');
    });

    it('S13: lets a client find out whether streams come through', async () => {
      const { target, issued } = await setup();
      const response = await target.fetch(`${target.baseUrl}/agent/v1/embed/stream_check`, {
        headers: { authorization: `Bearer ${issued.token}`, origin: 'https://app.example.com' },
      });
      const text = await response.text();
      expect(text.startsWith(`: ${' '.repeat(2045)}\n\n`)).toBe(true);
      const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
        JSON.parse(data ?? ''),
      );
      expect(messages).toEqual([1, 2, 3].map((n) => ({ type: 'stream_check', n })));
    });
  });

  describe('the log', () => {
    it('is read in both orders, by page, by type, and after an event', async () => {
      const { ada } = await setup();
      const id = await ada.create('Hi');
      await (await ada.follow(id)).until('session.status_idle');
      const seqs = async (query: string) => (await ada.log(id, query)).map(({ seq }) => seq);
      expect(await seqs('order=desc&limit=2')).toEqual([6, 5]);
      const { body } = await ada.call('GET', `/sessions/${id}/events?order=desc&limit=2`);
      expect(body.next_page).toBe(body.next_cursor);
      expect(await seqs(`order=desc&limit=3&page=${body.next_page}`)).toEqual([4, 3, 2]);
      expect(await seqs('types[]=agent.message&types[]=user.message')).toEqual([1, 4]);
      expect(await seqs('order=asc&after_seq=4')).toEqual([5, 6]);
      expect(await seqs('order=asc&after_seq=6&wait=0')).toEqual([]);
    });

    it('S13: is waited for, until something is said or the token ends', async () => {
      const { ada, target, user, issued } = await setup();
      const id = await ada.create();
      const poll = ada.log(id, 'order=asc&after_seq=0&wait=20');
      await ada.send(id, [message('Hi')]);
      expect((await poll)[0]).toMatchObject({ type: 'user.message', seq: 1 });

      const ending = ada.call('GET', `/sessions/${id}/events?order=asc&after_seq=100&wait=20`);
      // The waiting has begun when another request of the same token was answered.
      await ada.call('GET', config);
      await target.revoke(issued.id);
      expect((await ending).body).toMatchObject({ code: 'EMBED_TOKEN_REVOKED', status: 401 });
      const empty = person(target, await target.issue(user));
      expect(await empty.log(id, 'order=asc&after_seq=100&wait=0.05')).toEqual([]);
    });
  });

  describe('runs', () => {
    it('S27: stops an answer, keeps what was said, and answers the next message', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await ada.send(id, [{ type: 'user.interrupt' }]);
      const { data } = await stream.until('session.status_idle');
      expect(data.stop_reason).toEqual({ type: 'end_turn' });
      const log = await ada.log(id);
      expect(types(log)).toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'user.interrupt',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(log[4]).toMatchObject({
        content: [{ type: 'text', text: 'One ' }],
        incomplete: 'interrupted',
      });
      await ada.send(id, [{ type: 'user.interrupt' }]);
      await ada.send(id, [message('Go on')]);
      await stream.until('session.status_running');
    });

    it('answers a message that came during a run in the same run', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('One');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await ada.send(id, [message('Two'), { type: 'user.interrupt' }, message('Three')]);
      await stream.until('agent.message');
      await stream.until('event_delta');
      const log = await ada.log(id);
      expect(log.filter(({ type }) => type === 'session.status_running')).toHaveLength(1);
      expect(log.filter(({ type }) => type === 'span.model_request_start')).toHaveLength(2);
      expect(types(log)).not.toContain('session.status_idle');
    });

    it('runs a tool, and goes on with what it said', async () => {
      const { ada } = await setup('shop');
      const id = await ada.create('How much?');
      await (await ada.follow(id)).until('session.status_idle');
      const log = await ada.log(id);
      expect(types(log)).toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'agent.message',
        'agent.tool_use',
        'span.model_request_end',
        'agent.tool_result',
        'span.model_request_start',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(log[4]).toMatchObject({
        name: 'get_price',
        input: { of: 'tea' },
        evaluated_permission: 'allow',
      });
      expect(log[6]).toMatchObject({ tool_use_id: log[4]?.id, is_error: false });
      expect(log[8]?.content).toEqual([{ type: 'text', text: 'It is 3 €.' }]);
    });

    it('waits for the person to allow a call, or to deny it', async () => {
      const { ada } = await setup('cashier');
      for (const [result, words] of [
        ['allow', 'Done: Paid.'],
        ['deny', 'No: Too much'],
      ]) {
        const id = await ada.create('Pay');
        const stream = await ada.follow(id);
        const { data: idle } = await stream.until('session.status_idle');
        const call = (await ada.log(id)).find(({ type }) => type === 'agent.tool_use');
        expect(idle.stop_reason).toEqual({ type: 'requires_action', event_ids: [call?.id] });
        const answer = {
          type: 'user.tool_confirmation',
          tool_use_id: call?.id,
          result,
          ...(result === 'deny' && { deny_message: 'Too much' }),
        };
        await ada.send(id, [answer]);
        const { data: said } = await stream.until('agent.message');
        expect(said.content).toEqual([{ type: 'text', text: words }]);
        await stream.until('session.status_idle');
        const late = await ada.send(id, [answer]);
        expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
        const after = types(await ada.log(id)).slice(6);
        expect(after).toEqual([
          'user.tool_confirmation',
          'session.status_running',
          'agent.tool_result',
          'span.model_request_start',
          'agent.message',
          'span.model_request_end',
          'session.status_idle',
        ]);
      }
    });

    it('waits for the page to answer a call', async () => {
      const { ada } = await setup('guide');
      const id = await ada.create('Where?');
      const stream = await ada.follow(id);
      const { data: call } = await stream.until('agent.custom_tool_use');
      await stream.until('session.status_idle');
      const content = [{ type: 'text', text: 'north' }];
      const result = { type: 'user.custom_tool_result', custom_tool_use_id: call.id, content };
      await ada.send(id, [result]);
      const { data: said } = await stream.until('agent.message');
      expect(said.content).toEqual([{ type: 'text', text: 'The map says north.' }]);
    });

    it('takes a message or a stop for an answer to a call that waits', async () => {
      const { ada } = await setup('cashier');
      const id = await ada.create('Pay');
      const stream = await ada.follow(id);
      await stream.until('session.status_idle');
      await ada.send(id, [message('Something else')]);
      await stream.until('agent.tool_result');
      const { data: again } = await stream.until('session.status_idle');
      expect(again.stop_reason).toMatchObject({ type: 'requires_action' });
      await ada.send(id, [{ type: 'user.interrupt' }]);
      const { data: refused } = await stream.until('agent.tool_result');
      expect(refused).toMatchObject({ is_error: true });
      const { data: idle } = await stream.until('session.status_idle');
      expect(idle.stop_reason).toEqual({ type: 'end_turn' });
      expect(types((await ada.log(id)).slice(6))).toEqual([
        'user.message',
        'session.status_running',
        'agent.tool_result',
        'span.model_request_start',
        'agent.tool_use',
        'span.model_request_end',
        'session.status_idle',
        'user.interrupt',
        'session.status_running',
        'agent.tool_result',
        'session.status_idle',
      ]);
    });

    it('says when an answer broke off, and takes the next message', async () => {
      const { ada } = await setup('failing');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      const { data: idle } = await stream.until('session.status_idle');
      expect(idle.stop_reason).toEqual({ type: 'retries_exhausted' });
      const log = await ada.log(id);
      expect(types(log).slice(3)).toEqual([
        'agent.message',
        'span.model_request_end',
        'session.error',
        'session.status_idle',
      ]);
      expect(log[3]).toMatchObject({ incomplete: 'failed' });
      expect(log[5]?.error).toMatchObject({
        type: 'model_request_failed_error',
        retry_status: { type: 'terminal' },
      });
      await ada.send(id, [message('Again')]);
      await stream.until('session.status_running');
    });
  });
});

function pointersOf(body: Record<string, unknown>): string[] {
  return (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
}
