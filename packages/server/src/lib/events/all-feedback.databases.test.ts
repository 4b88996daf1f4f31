import type { FeedbackRecord } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const model = {
  provider: 'scripted' as const,
  delay_ms: 0,
  first_delay_ms: 0,
  script: [{ say: `At noon. ${'😀'.repeat(300)}` }],
};

async function setup() {
  const embed = {
    allowed_origins: [testOrigin],
    limits: { requests_per_second: 100_000, concurrent: 1000 },
  };
  const server = await setupServer({
    config: {
      agents: ['test', 'other'].map((short_id) => ({
        short_id,
        name: short_id,
        model,
        embed,
      })) as never,
    },
  });
  const { backend, clock, issue, requestAsUser, store } = server;
  const call = (token: string, method: string, path: string, body?: object) =>
    requestAsUser(token, method, `/agent/v1${path}`, body);
  /** Rates the answer to a question. Returns the ids of the session and the answer. */
  const rate = async (token: string, question: string, rating: string, comment?: string) => {
    const created = await call(token, 'POST', '/sessions', { initial_events: [message(question)] });
    const { id } = (await created.json()) as { id: string };
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
    const page = await call(token, 'GET', `/sessions/${id}/events?types=agent.message`);
    const event = ((await page.json()) as { data: { id: string }[] }).data[0]?.id;
    clock.advance(1000);
    const body = { event_id: event, rating, comment };
    expect((await call(token, 'POST', `/sessions/${id}/feedback`, body)).status).toBe(200);
    return { id, event };
  };
  const list = async (query = '') => {
    const response = await backend('GET', `/agent/v1/feedback${query}`);
    expect(response.status).toBe(200);
    const page = (await response.json()) as { data: FeedbackRecord[]; next_page: string | null };
    return { ...page, events: page.data.map(({ event_id }) => event_id) };
  };
  return {
    ...server,
    call,
    rate,
    list,
    token: (await issue('ada')).token,
    other: (await issue('bob', { agent: 'other' })).token,
  };
}

describe('the list of all feedback', () => {
  it('has the rated text, the question and the conversation of each, newest first', async () => {
    const { list, other, rate, token } = await setup();
    const first = await rate(token, 'When is high water?', 'down', 'Wrong');
    const second = await rate(other, 'When is low water?', 'up');

    const { data, events } = await list();

    expect(events).toEqual([second.event, first.event]);
    expect(data[1]).toMatchObject({
      type: 'feedback',
      session_id: first.id,
      rating: 'down',
      comment: 'Wrong',
      question: 'When is high water?',
      session: { id: first.id, external_user_id: 'ada', agent: { name: 'test' } },
    });
    expect(data[1]?.text).toMatch(/^At noon\. 😀+$/u);
    expect(data[1]?.text.length).toBe(499);
  });

  it('has the question that was answered, not one that was sent during the answer', async () => {
    const { backend, list, rate, store, token } = await setup();
    const { id, event } = await rate(token, 'The question', 'up');
    const answer = await store.db
      .selectFrom('events')
      .select(['seq', 'json'])
      .where('id', '=', event ?? '')
      .executeTakeFirstOrThrow();
    // As if another message had been sent between the model request and its answer.
    await store.db
      .updateTable('events')
      .set({ seq: 99 })
      .where('id', '=', event ?? '')
      .execute();
    await store.db
      .insertInto('events')
      .values({
        session_id: id,
        seq: 98,
        id: 'evt_meanwhile',
        type: 'user.message',
        json: JSON.stringify({ ...message('Meanwhile'), id: 'evt_meanwhile', seq: 98 }),
        processed_at: 0,
      })
      .execute();

    expect(answer.seq).not.toBe(99);
    expect((await list()).data[0]?.question).toBe('The question');
    expect((await backend('GET', `/agent/v1/sessions/${id}`)).status).toBe(200);
  });

  it('is filtered by agent, version, rating and time, and has pages', async () => {
    const { list, other, rate, token } = await setup();
    const a = (await rate(token, 'a', 'down')).event;
    const b = (await rate(other, 'b', 'up')).event;
    const c = (await rate(token, 'c', 'up')).event;
    const at = (await list()).data.map(({ created_at }) => created_at);

    expect((await list('?agent_id=test')).events).toEqual([c, a]);
    expect((await list('?agent_id=test&version=1')).events).toEqual([c, a]);
    expect((await list('?agent_id=test&version=2')).events).toEqual([]);
    expect((await list('?rating=up')).events).toEqual([c, b]);
    expect((await list('?rating=up&agent_id=other')).events).toEqual([b]);
    expect((await list(`?after=${at[1]}`)).events).toEqual([c]);
    expect((await list(`?before=${at[1]}`)).events).toEqual([a]);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&page=${first.next_page}`);
    expect([first.events, second.events, second.next_page]).toEqual([[c, b], [a], null]);
  });

  it('has no feedback of a deleted conversation', async () => {
    const { backend, list, rate, token } = await setup();
    const { id } = await rate(token, 'a', 'down');

    await backend('DELETE', `/agent/v1/sessions/${id}`);

    expect((await list()).events).toEqual([]);
  });

  it.each([
    ['agent=test', '/query/agent', 'is not a parameter of this list'],
    ['version=1', '/query/version', 'needs `agent_id`'],
    ['rating=good', '/query/rating', 'must be up or down'],
    ['after=x', '/query/after', 'must be a time in RFC 3339'],
    ['page=x', '/query/page', 'must be the `next_page`'],
  ])('refuses `%s`', async (query, pointer, text) => {
    const { backend } = await setup();

    const response = await backend('GET', `/agent/v1/feedback?${query}`);

    expect(response.status).toBe(400);
    expect((await problemOf(response)).errors).toEqual([
      { pointer, message: expect.stringContaining(text) },
    ]);
  });

  it('is a 404 with an embed token', async () => {
    const { call, token } = await setup();

    expect((await call(token, 'GET', '/feedback')).status).toBe(404);
  });
});
