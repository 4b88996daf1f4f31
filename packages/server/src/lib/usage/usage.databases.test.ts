/** The usage report, compared with the logs of the conversations. */
import type { EndUserRecord, LogEvent, UsageReport } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import {
  chunk,
  done,
  finish,
  type Handler,
  refuse,
  stream,
  usage,
} from '../testing/chat-endpoint.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupPaidModel } from '../testing/setup-paid-model.ts';

const idle = isType('session.status_idle');
const answer = stream(chunk({ content: 'Hi' }), finish(), usage(1000, 100), done);

async function setup(...responses: Handler[]) {
  const { settings } = await setupPaidModel(responses.length > 0 ? responses : [answer]);
  const clock = createFakeClock();
  const server = await setupConversation({
    ...settings,
    agent: {
      ...settings.agent,
      appearance: {
        features: { forget_me: true },
        welcome: {
          card: { blocks: [{ type: 'buttons', buttons: [{ label: 'Go', action: 'go' }] }] },
        },
      },
    },
    realClock: clock,
  });
  const report = async (query = '') => {
    const response = await server.backend('GET', `/agent/v1/usage${query}`);
    return { status: response.status, body: (await response.json()) as UsageReport };
  };
  return {
    ...server,
    clock,
    report,
    /** The only row of the report of the whole range. */
    async sums(query = '?group_by=agent') {
      const { body } = await report(query);
      expect(body.data).toHaveLength(1);
      return body.data[0];
    },
    /** Sends a message as a user, and waits for the end of the answer. */
    async ask(user: string, text = 'hello') {
      const { token } = await server.issue(user);
      const body = { initial_events: [message(text)] };
      const created = await server.call('POST', '/sessions', body, {}, token);
      const { id } = (await created.json()) as { id: string };
      await (await server.follow(id, { 'last-event-id': '0' }, token)).until(idle);
      return { id, token };
    },
  };
}

describe('the usage report', () => {
  it('has the sums of the logs: people, messages, answers, tokens, cost and times', async () => {
    const { ask, send, sums, backend } = await setup(answer, refuse(400), answer);
    const first = await ask('eve');
    await ask('eve');
    await ask('mallory');
    await send(first.id, [message('again')]);

    const ids = (await (await backend('GET', '/agent/v1/sessions')).json()) as {
      data: { id: string; spent_cents: number }[];
    };
    const events: LogEvent[] = [];
    for (const { id } of ids.data) {
      const page = await backend('GET', `/agent/v1/sessions/${id}/events?limit=200`);
      events.push(...((await page.json()) as { data: LogEvent[] }).data);
    }
    const calls = events.filter((event) => event.type === 'span.model_request_end');
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const row = await sums();
    expect(row).toMatchObject({
      sessions: ids.data.length,
      end_users: 2,
      user_messages: events.filter(({ type }) => type === 'user.message').length,
      answers_failed: 1,
      input_tokens: sum(calls.map((call) => call.model_usage.input_tokens)),
      output_tokens: sum(calls.map((call) => call.model_usage.output_tokens)),
    });
    expect(row?.answers).toBe(
      events.filter(
        (event) => event.type === 'session.status_idle' && event.stop_reason.type === 'end_turn',
      ).length,
    );
    expect(row?.spent_cents).toBeCloseTo(sum(ids.data.map(({ spent_cents }) => spent_cents)));
    expect(row?.spent_cents).toBeCloseTo(
      sum(calls.map((call) => call.spent_microcents ?? 0)) / 1_000_000,
    );
    expect(row?.answer_ms_p50).toEqual(expect.any(Number));
    expect(row?.first_token_ms_p95).toEqual(expect.any(Number));
  });

  it('is grouped by one or two of day, agent, version, model and publishable key', async () => {
    const { ask, clock, report } = await setup();
    await ask('eve');
    clock.advance(86_400_000);
    await ask('eve');

    const days = await report('?group_by=day');
    expect(
      days.body.data.map(({ day, sessions, end_users }) => [day, sessions, end_users]),
    ).toEqual([
      ['2026-01-15', 1, 1],
      ['2026-01-16', 1, 1],
    ]);
    expect((await report('?group_by=agent')).body.data).toMatchObject([
      { sessions: 2, end_users: 1, user_messages: 2 },
    ]);
    const models = await report('?group_by=model,version');
    expect(models.body.data).toMatchObject([
      { model: null, version: '1', user_messages: 2, answers: 0, end_users: null },
      { model: expect.any(String), version: '1', user_messages: 0, answers: 2 },
    ]);
    const range = await report('?group_by=publishable_key&from=2026-01-16&to=2026-01-16');
    expect(range.body).toMatchObject({
      from: '2026-01-16',
      to: '2026-01-16',
      data: [{ publishable_key: null, sessions: 1 }],
    });
  });

  it('counts a changed rating once, and keeps the sums when a user deletes their data', async () => {
    const server = await setup();
    const { id, token } = await server.ask('eve');
    const log = await server.backend('GET', `/agent/v1/sessions/${id}/events`);
    const { data } = (await log.json()) as { data: LogEvent[] };
    const event_id = data.find(({ type }) => type === 'agent.message')?.id;
    const rate = (rating: string) =>
      server.call('POST', `/sessions/${id}/feedback`, { event_id, rating }, {}, token);

    await rate('up');
    await rate('down');
    expect(await server.sums()).toMatchObject({ ratings_up: 0, ratings_down: 1, end_users: 1 });
    await server.call('POST', '/embed/forget_me', {}, {}, token);
    expect(await server.sums()).toMatchObject({
      sessions: 1,
      ratings_down: 1,
      answers: 1,
      end_users: 0,
    });
  });

  it('counts a conversation and its user from the first message or answer to a card on', async () => {
    const { ask, call, create, issue, report, send, sums } = await setup();
    const empty = await create();
    await call('POST', `/sessions/${empty}`, { title: 'Renamed' });
    expect((await report()).body.data).toEqual([]);

    const { token } = await issue('cleo');
    const answer = { type: 'user.card_action', card_id: 'welcome', action: 'go' };
    await call('POST', '/sessions', { initial_events: [answer] }, {}, token);
    expect(await sums()).toMatchObject({ sessions: 1, end_users: 1, user_messages: 0 });
    await send(empty, [message('hello')]);
    await ask('cleo');

    expect(await sums()).toMatchObject({ sessions: 3, end_users: 2, user_messages: 2 });
  });

  it('counts a user on each day, also if an answer ended after midnight', async () => {
    let beforeAnswer = () => {};
    const server = await setup((response, request) => {
      beforeAnswer();
      return answer(response, request);
    });
    beforeAnswer = () => {
      beforeAnswer = () => {};
      server.clock.advance(60_000);
    };
    // 30 seconds before midnight.
    server.clock.advance(43_170_000);
    const { id, token } = await server.ask('cleo');
    await server.call('POST', `/sessions/${id}/events`, { events: [message('more')] }, {}, token);

    const { data } = (await server.report('?group_by=day')).body;
    expect(data).toMatchObject([
      { day: '2026-01-15', end_users: 1, user_messages: 1 },
      { day: '2026-01-16', end_users: 1, user_messages: 1 },
    ]);
  });

  it('names neither model nor cost to end users', async () => {
    const { ask, call, follow, backend } = await setup();
    const { id, token } = await ask('eve');
    const names = /"model"|spent_microcents/;

    const events = await (await call('GET', `/sessions/${id}/events`, undefined, {}, token)).text();
    expect(events).toContain('"duration_ms"');
    expect(events).not.toMatch(names);
    const exported = await call('GET', `/sessions/${id}/export?format=json`, undefined, {}, token);
    expect(await exported.text()).not.toMatch(names);
    const reader = await follow(id, { 'last-event-id': '0' }, token);
    const { data } = await reader.until(isType('span.model_request_end'));
    expect(JSON.stringify(data)).not.toMatch(names);
    const asBackend = await backend('GET', `/agent/v1/sessions/${id}/events`);
    expect(await asBackend.text()).toMatch(names);
  });

  it.each([
    ['?group_by=month', '/query/group_by/0'],
    ['?group_by=day,agent,model', '/query/group_by'],
    ['?group_by=day,day', '/query/group_by'],
    ['?from=2026-02-01&to=2026-01-01', '/query/from'],
    ['?from=2024-01-01&to=2026-01-01', '/query/from'],
    ['?from=yesterday', '/query/from'],
    ['?until=2026-01-01', '/query/until'],
  ])('refuses %s with the name of the parameter', async (query, pointer) => {
    const { report } = await setup();

    expect(await report(query)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', errors: [{ pointer }] },
    });
  });
});

describe('the people of an agent', () => {
  it('are listed with their conversations, cost, tokens and blocks, the latest first', async () => {
    const { ask, backend, clock } = await setup();
    await ask('cleo');
    clock.advance(60_000);
    await ask('ben');
    await ask('ben');
    const people = '/agent/v1/agents/test/end_users';
    await backend('POST', `${people}/ben/block`);
    const list = async (query = '') => {
      const response = await backend('GET', people + query);
      const { data } = (await response.json()) as { data: EndUserRecord[] };
      return data?.map(({ external_user_id }) => external_user_id);
    };

    const all = (await (await backend('GET', people)).json()) as { data: EndUserRecord[] };
    expect(all.data).toMatchObject([
      { external_user_id: 'ben', sessions: 2, live_tokens: 0, blocked: true, anonymous: false },
      {
        external_user_id: 'cleo',
        sessions: 1,
        live_tokens: 1,
        blocked: false,
        first_seen_at: '2026-01-15T12:00:00.000Z',
        spent_cents: expect.any(Number),
      },
    ]);
    expect(await list('?query=c')).toEqual(['cleo']);
    expect(await list('?blocked=true')).toEqual(['ben']);
    expect(await list('?blocked=false')).toEqual(['cleo']);
    expect(await list('?seen_after=2026-01-15T12:00:30Z')).toEqual(['ben']);
    expect(await list('?limit=1')).toEqual(['ben']);
    expect(await (await backend('GET', `${people}/cleo`)).json()).toEqual(all.data[1]);
    expect((await backend('GET', `${people}/eve`)).status).toBe(404);
    expect((await backend('GET', `${people}?blocked=maybe`)).status).toBe(400);
  });

  it('are not listed after their data was erased', async () => {
    const { ask, backend, call } = await setup();
    const { token } = await ask('cleo');

    await call('POST', '/embed/forget_me', {}, {}, token);

    expect((await backend('GET', '/agent/v1/agents/test/end_users/cleo')).status).toBe(404);
  });
});
