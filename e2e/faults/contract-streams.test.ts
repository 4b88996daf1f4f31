/** Contract of the API: event streams and the event log. */
import { describe, expect, it } from 'vitest';
import { describeOnBothPlatforms, typesOf } from './contract/describe-on-both-platforms.ts';
import { message, userApi } from './contract/user-api.ts';

describeOnBothPlatforms((setup) => {
  describe('streams', () => {
    it('send fragments of an answer with the id that the answer has in the log', async () => {
      const { ada } = await setup('thinker');
      const stream = await ada.createStream({ initial_events: [message('Hi')] });
      await stream.until('session.status_idle');
      const logged = stream.frames.filter(({ data }) => !data.type.startsWith('event_'));
      expect(typesOf(logged.map(({ data }) => data))).toEqual([
        'session.created',
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'agent.thinking',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(logged.map(({ id }) => id)).toEqual([undefined, '1', '2', '3', '4', '5', '6', '7']);
      for (const { event, data } of stream.frames) expect(event).toBe(data.type);
      const live = stream.frames.filter(({ data }) => data.type.startsWith('event_'));
      expect(new Set(live.map(({ id }) => id?.split('.')[0]))).toEqual(new Set(['3', '4']));
      for (const type of ['agent.thinking', 'agent.message']) {
        const loggedData = logged.find(({ data }) => data.type === type)?.data;
        const text = live
          .filter(({ data }) => data.event_id === loggedData?.id)
          .map(({ data }) => (data.delta as { content: { text: string } }).content.text);
        expect(loggedData?.content).toEqual([{ type: 'text', text: text.join('') }]);
      }
    });

    it('S09: resume after any id of the log, and replay everything after an unknown id', async () => {
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

    it('S01: send the partial answer to a reader that connects during the answer', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('Hi');
      await (await ada.follow(id)).until('event_delta');
      const lateStream = await ada.follow(id, '3');
      const { data } = await lateStream.until('event_delta');
      expect(data.delta).toEqual({
        type: 'content_delta',
        index: 0,
        content: { type: 'text', text: 'One ' },
      });
      expect(typesOf(lateStream.frames.map((frame) => frame.data))).toEqual([
        'event_start',
        'event_delta',
      ]);
    });

    it('R04: end when their token is revoked or expires; streams of other tokens stay open', async () => {
      for (const end of ['revoke', 'expire'] as const) {
        const { target, user, ada, issued } = await setup('slow');
        const other = userApi(target, await target.issue(user));
        const id = await ada.create('Hi');
        const [revokedStream, continuing] = [await ada.follow(id), await other.follow(id)];
        await Promise.all([revokedStream.until('event_delta'), continuing.until('event_delta')]);
        await target[end](issued.id);
        const last = (await revokedStream.toEnd()).at(-1);
        const code = end === 'revoke' ? 'EMBED_TOKEN_REVOKED' : 'EMBED_TOKEN_EXPIRED';
        expect(last?.data).toMatchObject({
          type: 'session.error',
          error: { type: 'embed_token_error', code, retry_status: { type: 'terminal' } },
        });
        expect(last?.data.seq).toBeUndefined();
        await other.send(id, [{ type: 'user.interrupt' }]);
        await continuing.until('session.status_idle');
        expect(typesOf(await other.log(id))).not.toContain('session.error');
      }
    });

    it('R07: end when their user is blocked, and the user’s runs are stopped', async () => {
      const { target, user, ada } = await setup('slow');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await target.block(user);
      expect((await stream.toEnd()).at(-1)?.data.error).toMatchObject({
        code: 'EMBED_TOKEN_REVOKED',
      });
      await target.unblock(user);
      const again = userApi(target, await target.issue(user));
      await (await again.follow(id)).until('session.status_idle');
      expect(typesOf(await again.log(id))).toContain('user.interrupt');
    });

    it('S13: can be checked with `stream_check`, which sends 2 kB of padding and three events', async () => {
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
    it('can be read in both orders, by page, by type, and after an event', async () => {
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

    it('S13: supports long polling until there is an event or the token ends', async () => {
      const { ada, target, user, issued } = await setup();
      const id = await ada.create();
      const poll = ada.log(id, 'order=asc&after_seq=0&wait=20');
      await ada.send(id, [message('Hi')]);
      expect((await poll)[0]).toMatchObject({ type: 'user.message', seq: 1 });

      const pendingPoll = ada.call('GET', `/sessions/${id}/events?order=asc&after_seq=100&wait=20`);
      // The long poll has started when a later request of the same token was answered.
      await ada.call('GET', '/embed/config');
      await target.revoke(issued.id);
      expect((await pendingPoll).body).toMatchObject({
        code: 'EMBED_TOKEN_REVOKED',
        status: 401,
      });
      const empty = userApi(target, await target.issue(user));
      expect(await empty.log(id, 'order=asc&after_seq=100&wait=0.05')).toEqual([]);
    });
  });
});
