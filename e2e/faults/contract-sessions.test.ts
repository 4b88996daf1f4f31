/** Contract of the API: sessions, their routes, and idempotency. */
import { describe, expect, it } from 'vitest';
import {
  answerEventTypes,
  describeOnBothPlatforms,
  typesOf,
} from './contract/describe-on-both-platforms.ts';
import { message, userApi } from './contract/user-api.ts';

describeOnBothPlatforms((setup) => {
  describe('sessions', () => {
    it('are not found for other users', async () => {
      const { ada, target, user } = await setup();
      const id = await ada.create();
      const bob = userApi(target, await target.issue(`not-${user}`));
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

    it('are listed newest first, in pages, without archived sessions', async () => {
      const { ada } = await setup();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ids.unshift(await ada.create());
        // Sessions are sorted by creation time in milliseconds.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const { body: first } = await ada.call('GET', '/sessions?limit=2');
      const { body: secondPage } = await ada.call(
        'GET',
        `/sessions?limit=2&page=${first.next_page}`,
      );
      const seen = [...(first.data as { id: string }[]), ...(secondPage.data as { id: string }[])];
      expect(seen.map(({ id }) => id)).toEqual(ids);
      expect([first.next_cursor, secondPage.next_page]).toEqual([first.next_page, null]);

      const archived = await ada.call('POST', `/sessions/${ids[0]}/archive`, { body: {} });
      expect(archived.body.archived_at).toEqual(expect.any(String));
      const { body: left } = await ada.call('GET', '/sessions');
      expect((left.data as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(1));
      expect((await ada.send(String(ids[0]), [message('Hi')])).body.code).toBe('CONFLICT');
    });

    it('can be updated and deleted', async () => {
      const { ada } = await setup();
      const id = await ada.create();
      const change = { title: 'Tea', metadata: { a: '1', b: '2' } };
      await ada.call('POST', `/sessions/${id}`, { body: change });
      const { body } = await ada.call('POST', `/sessions/${id}`, {
        body: { metadata: { a: null } },
      });
      expect(body).toMatchObject({ title: 'Tea', metadata: { b: '2' } });
      expect(typesOf(await ada.log(id))).toEqual(['session.updated', 'session.updated']);

      const stream = await ada.follow(id);
      await stream.until('session.updated');
      await ada.call('DELETE', `/sessions/${id}`);
      expect((await stream.toEnd()).at(-1)?.data.type).toBe('session.deleted');
      expect((await ada.call('GET', `/sessions/${id}`)).status).toBe(404);
    });

    it('reject invalid input with an error that names the field, and stay unchanged', async () => {
      const { ada } = await setup();
      const id = await ada.create();
      const invalidRequests = [
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
      expect(invalidRequests.map(({ status, body }) => [status, pointersOf(body)])).toEqual([
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

    it('are not created when the budget is spent', async () => {
      const { target, user } = await setup();
      const limitedUser = userApi(target, await target.issue(user, { budgetCents: 0 }));
      const body = { initial_events: [message('Hi')] };
      const refused = await limitedUser.call('POST', '/sessions', { body });
      expect([refused.status, refused.body.code]).toEqual([402, 'EMBED_BUDGET_EXCEEDED']);
      expect((await limitedUser.call('GET', '/sessions')).body.data).toEqual([]);
    });
  });

  describe('a repeated idempotency key', () => {
    it('S26: returns the session of the first request, as a stream or as JSON', async () => {
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
      expect(typesOf(third.frames.map(({ data }) => data))).toEqual(
        expect.arrayContaining(['session.created', ...answerEventTypes]),
      );
      expect((await ada.call('GET', '/sessions')).body.data).toHaveLength(1);
      const other = { body: { initial_events: [message('Ho')] }, headers };
      expect((await ada.call('POST', '/sessions', other)).body.code).toBe('CONFLICT');
    });
  });
});

function pointersOf(body: Record<string, unknown>): string[] {
  return (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
}
