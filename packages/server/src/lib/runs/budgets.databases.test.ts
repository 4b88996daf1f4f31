import { describe, expect, it } from 'vitest';
import {
  chunk,
  finish,
  type Handler,
  stream,
  streamThenHang,
  usage,
} from '../testing/chat-endpoint.ts';
import { follow } from '../testing/follow.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel as setup } from '../testing/setup-paid-model.ts';

const idle = isType('session.status_idle');

describe('the budget of a session or of a publishable key', () => {
  it('is spent by model calls; when it is used up, messages are rejected', async () => {
    // 1,000 input and 500 output tokens cost 1 + 1 cents.
    const { settings, requests } = await setup([paidResponse], { budget: 2 });
    const { create, follow, send, session } = await setupConversation(settings);
    const id = await create('hello');
    await (await follow(id)).until(idle);

    const response = await send(id, [message('more')]);

    expect(await session(id)).toMatchObject({
      usage: { input_tokens: 1000, output_tokens: 500, spent_cents: 2 },
      budget: { limit_cents: 2, spent_cents: 2 },
    });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ code: 'EMBED_BUDGET_EXCEEDED' });
    expect(requests).toHaveLength(1);
  });

  it('allows no model call after it is used up, even for messages that were accepted before', async () => {
    let respond = () => {};
    const slow: Handler = (response, request) =>
      new Promise((resolve) => {
        respond = () => resolve(paidResponse(response, request));
      });
    const { settings, requests } = await setup([slow, paidResponse], { budget: 2 });
    const { create, follow, send, session } = await setupConversation(settings);
    const id = await create('hello');
    const eventStream = await follow(id);
    await eventStream.until(isType('span.model_request_start'));

    const during = await Promise.all([1, 2, 3, 4].map((n) => send(id, [message(`${n}`)])));
    await expect.poll(() => requests.length).toBe(1);
    respond();
    const end = await eventStream.until(idle);
    const after = await Promise.all([1, 2, 3, 4].map((n) => send(id, [message(`${n}`)])));

    expect(during.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(end.data).toMatchObject({ stop_reason: { type: 'budget_reached' } });
    expect(after.map(({ status }) => status)).toEqual([402, 402, 402, 402]);
    expect(requests).toHaveLength(1);
    expect(await session(id)).toMatchObject({
      usage: { spent_cents: 2 },
      budget: { limit_cents: 2, spent_cents: 2 },
    });
  });

  it('is also spent by a call whose session is deleted during the call', async () => {
    const long = streamThenHang(chunk({ content: 'x'.repeat(4000) }));
    const { settings, requests } = await setup([long]);
    const { requestAsPage, call, store, url } = await setupConversation(settings);
    const visitor = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const { token } = (await visitor.json()) as { token: string };
    const body = { initial_events: [message('hi')] };
    const created = await call('POST', '/sessions', body, {}, token);
    const { id } = (await created.json()) as { id: string };
    const eventStream = await follow(
      `${url}/agent/v1/sessions/${id}/events/stream?event_deltas[]=agent.message`,
      token,
      { headers: { 'last-event-id': '0' } },
    );
    await eventStream.until(isType('event_delta'));

    await call('DELETE', `/sessions/${id}`, undefined, {}, token);
    await requests[0]?.disconnected;

    const spent = async () => {
      const row = await store.db
        .selectFrom('publishable_key_days')
        .select('spent_microcents')
        .executeTakeFirst();
      return Number(row?.spent_microcents);
    };
    // The 4,000 characters are estimated as 1,000 output tokens, which cost two cents.
    await expect.poll(spent).toBeGreaterThan(2_000_000);
  });

  it('ends a run before its next model call if the budget is used up', async () => {
    const call = stream(
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'noop', arguments: '{}' } }] }),
      finish('tool_calls'),
      usage(1000, 500),
    );
    const { settings, requests } = await setup([call], { budget: 2 });
    const tool = { type: 'function' as const, name: 'noop', description: '', run: () => 'ok' };
    const { create, follow } = await setupConversation({
      ...settings,
      agent: { ...settings.agent, tools: [tool] },
    });

    const eventStream = await follow(await create('hello'));
    const end = await eventStream.until(idle);

    expect(requests).toHaveLength(1);
    expect(end.data).toMatchObject({ stop_reason: { type: 'budget_reached' } });
    expect(eventStream.seen.find(isType('session.error'))?.data).toMatchObject({
      error: { type: 'billing_error', code: 'EMBED_BUDGET_EXCEEDED' },
    });
  });

  it('limits the daily spending of all visitors of a publishable key together', async () => {
    const { settings } = await setup([paidResponse]);
    const { requestAsPage, call, store } = await setupConversation(settings);
    const visitor = async () => {
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: 'pk_test',
      });
      return ((await response.json()) as { token: string }).token;
    };
    const createSession = (token: string) =>
      call('POST', '/sessions', { initial_events: [message('hi')] }, {}, token);
    const [first, second, third] = [await visitor(), await visitor(), await visitor()];
    const spent = async () =>
      Number(
        (
          await store.db
            .selectFrom('publishable_key_days')
            .select('spent_microcents')
            .executeTakeFirst()
        )?.spent_microcents,
      );

    expect((await createSession(first)).status).toBe(200);
    await expect.poll(spent).toBe(2_000_000);
    expect((await createSession(second)).status).toBe(200);
    // The last call may exceed the budget.
    await expect.poll(spent).toBe(4_000_000);
    const refused = await createSession(third);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'EMBED_QUOTA_EXCEEDED', retryable: false });
  });

  it('may be a very large number', async () => {
    const { settings } = await setup([paidResponse]);
    const unlimited = Number.MAX_SAFE_INTEGER;
    const quotas = { sessions_per_day: unlimited, spend_cents_per_day: unlimited };
    const key = { key: 'pk_test', budget_cents: unlimited, ...quotas };
    const agent = { ...settings.agent, publishable_keys: [key] };
    const { call, follow, requestAsPage } = await setupConversation({ ...settings, agent });
    const visit = { publishable_key: 'pk_test' };
    const issued = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', visit);
    const { token } = await issued.json();

    const created = await call('POST', '/sessions', { initial_events: [message('Hi')] }, {}, token);

    expect(created.status).toBe(200);
    const { id } = await created.json();
    const { data } = await (await follow(id, {}, token)).until(idle);
    expect(data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });

  it('Q01: admits as many calls of simultaneous visitors as fit, and ends the other runs with `budget_reached`', async () => {
    const { settings, requests } = await setup([paidResponse]);
    const { requestAsPage, call, store } = await setupConversation(settings);
    const visitor = async () => {
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: 'pk_test',
      });
      return ((await response.json()) as { token: string }).token;
    };
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(visitor));
    const body = { initial_events: [message('hi')] };

    await Promise.all(tokens.map((token) => call('POST', '/sessions', body, {}, token)));

    const idleEvents = () =>
      store.db
        .selectFrom('events')
        .select('json')
        .where('type', '=', 'session.status_idle')
        .execute();
    await expect.poll(async () => (await idleEvents()).length).toBe(5);
    // A call costs two cents: the second one reaches the budget of three cents, so no further call is
    // made.
    expect(requests).toHaveLength(2);
    const reached = (await idleEvents()).filter(({ json }) => json.includes('budget_reached'));
    expect(reached).toHaveLength(3);
  });

  it('is exceeded by the cost of at most one call, even if the calls of eight visitors cost more than they reserved', async () => {
    // Each call costs 30 cents, although the request allows only two cents of output.
    const expensive = stream(chunk({ content: 'Well.' }), finish(), usage(10_000, 10_000));
    const { settings, requests } = await setup([expensive]);
    const model = { ...settings.agent.model, max_output_tokens: 1000 };
    const publishable_keys = [{ key: 'pk_test', spend_cents_per_day: 50 }];
    const { requestAsPage, call, store } = await setupConversation({
      ...settings,
      agent: { ...settings.agent, model, publishable_keys },
    });
    const visitors = Array.from({ length: 8 }, async () => {
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: 'pk_test',
      });
      return ((await response.json()) as { token: string }).token;
    });
    const body = { initial_events: [message('hi')] };

    const created = (await Promise.all(visitors)).map((token) =>
      call('POST', '/sessions', body, {}, token),
    );
    await Promise.all(created);

    const ended = () =>
      store.db
        .selectFrom('events')
        .select('id')
        .where('type', '=', 'session.status_idle')
        .execute();
    await expect.poll(async () => (await ended()).length).toBe(8);
    const day = await store.db
      .selectFrom('publishable_key_days')
      .select('spent_microcents')
      .executeTakeFirstOrThrow();
    expect(Number(day.spent_microcents)).toBe(60_000_000);
    expect(requests).toHaveLength(2);
  });
});
