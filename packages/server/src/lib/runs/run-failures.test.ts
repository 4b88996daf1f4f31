import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { chunk, type Handler, refuse, stream, streamThenHang } from '../testing/chat-endpoint.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { allRights } from '../testing/setup-data-rights.ts';
import { paidResponse, setupPaidModel as setup } from '../testing/setup-paid-model.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestStore } from '../testing/test-store.ts';

const idle = isType('session.status_idle');

describe('a run whose model fails', () => {
  it('retries the request after a temporary failure, and appends a `session.error`', async () => {
    const { settings, requests } = await setup([refuse(503), paidResponse]);
    const { create, follow } = await setupConversation(settings);

    const stream = await follow(await create('hello'));
    const end = await stream.until(idle);

    expect(requests).toHaveLength(2);
    expect(stream.seen.find(isType('session.error'))?.data).toMatchObject({
      error: { type: 'model_request_failed_error', retry_status: { type: 'retrying' } },
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });

  it('ends after three attempts, without the provider’s error message in its events', async () => {
    const { settings, requests } = await setup([refuse(500, { message: 'sk-live-secret leaked' })]);
    const { create, follow, log } = await setupConversation(settings);

    const id = await create('hello');
    const stream = await follow(id);
    const end = await stream.until(idle);

    expect(requests).toHaveLength(3);
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    expect(stream.seen.filter(isType('session.error')).at(-1)?.data).toMatchObject({
      error: { retry_status: { type: 'exhausted' } },
    });
    expect(JSON.stringify(await log(id))).not.toContain('secret');
  });

  it('writes a line without a stack trace to the server’s log', async () => {
    const { settings } = await setup([refuse(401, { message: 'wrong key' })]);
    const { create, follow, logLines } = await setupConversation(settings);

    await (await follow(await create('hello'))).until(idle);

    const lines = logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find(({ message }) => message === 'model call failed');
    expect(line).toMatchObject({
      level: 'warn',
      agent: 'test',
      model: 'm',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/),
      error: '401 wrong key',
      retryable: false,
    });
    expect(line).not.toHaveProperty('stack');
  });

  it('does not retry a request that the provider rejects permanently', async () => {
    const { settings, requests } = await setup([refuse(401)]);
    const { create, follow } = await setupConversation(settings);

    const stream = await follow(await create('hello'));
    await stream.until(idle);

    expect(requests).toHaveLength(1);
    expect(stream.seen.find(isType('session.error'))?.data).toMatchObject({
      error: { retry_status: { type: 'terminal' } },
    });
  });

  it('keeps the text before a failure, without retrying the request', async () => {
    const { settings, requests } = await setup([stream(chunk({ content: 'I was about to' }))]);
    const { create, follow } = await setupConversation(settings);

    const events = await follow(await create('hello'));
    await events.until(idle);

    expect(requests).toHaveLength(1);
    expect(events.seen.find(isType('agent.message'))?.data).toMatchObject({
      incomplete: 'failed',
      content: [{ text: 'I was about to' }],
    });
  });

  it('does not prevent the run of the next message', async () => {
    const { settings, requests } = await setup([refuse(401), paidResponse]);
    const { create, follow, send } = await setupConversation(settings);
    const id = await create('hello');
    const stream = await follow(id);
    await stream.until(idle);

    await send(id, [message('again')]);
    await stream.until(idle);

    // One message, because several endpoints reject consecutive messages of the user.
    expect(requests[1]?.body.messages).toEqual([{ role: 'user', content: 'hello\n\nagain' }]);
    expect(JSON.stringify(stream.seen.find(isType('agent.message')))).toContain('All is well.');
  });
});

describe('a run that the user interrupts', () => {
  it('S27, R07: disconnects from the provider', async () => {
    const { settings, requests } = await setup([streamThenHang(chunk({ content: 'Once upon' }))]);
    const { create, follow, send } = await setupConversation(settings);
    const id = await create('hello');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [{ type: 'user.interrupt' }]);
    await stream.until(idle);

    await requests[0]?.disconnected;
    expect(stream.seen.find(isType('span.model_request_end'))?.data).toMatchObject({
      is_error: false,
      model_usage: { estimated: true },
    });
  });
});

describe('a user who is blocked', () => {
  it('has no active run: simultaneous messages are rejected, or their runs are interrupted', async () => {
    const { settings } = await setup([streamThenHang(chunk({ content: 'Once upon' }))]);
    const { create, send, backend, store } = await setupConversation(settings);
    const ids = await Promise.all(Array.from({ length: 12 }, () => create()));

    const [blocked, ...sent] = await Promise.all([
      backend('POST', '/agent/v1/agents/test/end_users/ada/block'),
      ...ids.map((id) => send(id, [message('hello')])),
    ]);

    expect(blocked?.status).toBe(200);
    for (const { status } of sent) expect([200, 401, 403]).toContain(status);
    // The model never ends its response, so a run ends only if it is interrupted.
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  });
});

describe('a run that cannot append an event during a model call', () => {
  /** Starts a run whose model is still thinking; `speak` makes it end the thought, which is appended. */
  async function setupThinking() {
    const store = await openTestStore(createLogger(createFakeClock().now, () => {}));
    let isNextFailing = false;
    let speak = () => {};
    const think: Handler = (response, request) => {
      streamThenHang(chunk({ reasoning: 'Hm.' }))(response, request);
      speak = () => void response.write(chunk({ content: 'Well,' }));
    };
    const { settings, requests } = await setup([think, paidResponse], { budget: 100 });
    const conversation = await setupConversation({
      ...settings,
      fakeClock: true,
      sharedStore: {
        ...store,
        transaction(work) {
          if (!isNextFailing) return store.transaction(work);
          isNextFailing = false;
          return Promise.reject(new Error('disk I/O error'));
        },
      },
    });
    const id = await conversation.create('hello');
    await (await conversation.follow(id)).until(isType('event_delta'));
    return {
      ...conversation,
      id,
      requests,
      failNextTransaction: () => {
        isNextFailing = true;
      },
      speak: () => speak(),
      reservations: () => store.db.selectFrom('spend_reservations').selectAll().execute(),
      logged: () => conversation.logLines.map((line) => JSON.parse(line).message as string),
    };
  }

  it('calls the model again after a failure of the store, without an error for the user', async () => {
    const { id, requests, clock, log, logged, session, reservations, ...run } =
      await setupThinking();
    expect(await reservations()).toHaveLength(1);

    run.failNextTransaction();
    run.speak();
    await expect.poll(reservations).toEqual([]);
    await expect
      .poll(async () => {
        clock.advance(500);
        return (await log(id)).at(-1)?.type;
      })
      .toBe('session.status_idle');

    expect(requests).toHaveLength(2);
    expect((await log(id)).map(({ type }) => type)).not.toContain('session.error');
    expect(logged()).toContain('run failed');
    expect(logged()).not.toContain('model call failed');
    // The second call costs 2 cents. The usage of the first one is estimated.
    expect((await session(id)).usage.spent_cents).toBeGreaterThan(2);
  });

  it('settles its reservation if another process has taken over, and reports no failure of the model', async () => {
    const { store, logged, reservations, ...run } = await setupThinking();

    await store.db.updateTable('runs').set({ id: 'run_of_another' }).execute();
    run.speak();
    await expect.poll(reservations).toEqual([]);

    await run.requests[0]?.disconnected;
    expect(logged()).not.toContain('model call failed');
  });
});

describe('a run whose process dies', () => {
  it('S08: is taken over by another process when its lease expires; the first process cannot write to it again', async () => {
    const hang = streamThenHang(chunk({ content: 'half a sen' }));
    const { settings, requests } = await setup([hang, paidResponse], { data: temporaryFolder() });
    const first = await setupConversation({ ...settings, fakeClock: true });
    const id = await first.create('hello');
    const stream = await first.follow(id);
    await stream.until(isType('event_delta'));

    const second = await setupServer({ ...settings, seed: 'second' });
    second.clock.advance(5_000);
    expect(requests).toHaveLength(1);
    await expect
      .poll(() => {
        second.clock.advance(500);
        return requests.length;
      })
      .toBe(2);
    await expect.poll(async () => (await first.log(id)).at(-1)?.type).toBe('session.status_idle');

    // The first process resumes: its stream reads the missed events, and its run has lost the lease.
    let disconnected = false;
    requests[0]?.disconnected.then(() => {
      disconnected = true;
    });
    await expect
      .poll(() => {
        first.clock.advance(500);
        return disconnected;
      })
      .toBe(true);
    await stream.until(idle);
    const types = (await first.log(id)).map(({ type }) => type);
    expect(types).toContain('session.status_rescheduled');
    expect(types.filter((type) => type === 'agent.message')).toHaveLength(1);
    expect(types.at(-1)).toBe('session.status_idle');
  });

  it('ends if another process deletes its session, although no message announces it', async () => {
    let respond = () => {};
    const responding = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { settings, requests } = await setup([
      async (response, request) => {
        await responding;
        await paidResponse(response, request);
      },
    ]);
    const first = await setupConversation(settings);
    const id = await first.create('hello');
    await expect.poll(() => requests).toHaveLength(1);
    const second = await setupServer({
      ...settings,
      seed: 'second',
      agent: { ...settings.agent, appearance: allRights },
      sharedStore: first.store,
    });
    const { token } = await second.issue();

    const deleted = await second.requestAsUser(token, 'DELETE', `/agent/v1/sessions/${id}`);
    const rows = () => first.store.db.selectFrom('sessions').select('id').execute();
    await expect.poll(rows).toEqual([]);
    respond();

    expect(deleted.status).toBe(200);
    // A new run shows that the process still works.
    await (await first.follow(await first.create('again'))).until(idle);
  });

  it('S07: continues after a restart if its process was stopped', async () => {
    const hang = streamThenHang(chunk({ content: 'half a sen' }));
    const { settings, requests } = await setup([hang, paidResponse], { data: temporaryFolder() });
    const first = await setupConversation({ ...settings, fakeClock: true });
    const id = await first.create('hello');
    await (await first.follow(id)).until(isType('event_delta'));
    await first.close();

    const second = await setupServer(settings);

    await expect.poll(() => requests.length).toBe(2);
    const { token } = await second.issue();
    await expect
      .poll(async () => {
        const response = await second.requestAsUser(
          token,
          'GET',
          `/agent/v1/sessions/${id}/events`,
        );
        const { data } = (await response.json()) as { data: { type: string }[] };
        return data.map(({ type }) => type);
      })
      .toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'session.status_rescheduled',
        'session.status_running',
        'span.model_request_start',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
  });

  it('continues after any number of processes were stopped', async () => {
    const stops = 6;
    const hang = streamThenHang(chunk({ content: 'half a sen' }));
    const handlers = [...Array<Handler>(stops).fill(hang), paidResponse];
    const { settings, requests } = await setup(handlers, { data: temporaryFolder() });
    let id = '';
    for (let count = 1; count <= stops; count += 1) {
      const server = await setupConversation({ ...settings, fakeClock: true, seed: `${count}` });
      if (id === '') id = await server.create('hello');
      await (await server.follow(id)).until(isType('event_delta'));
      expect(requests).toHaveLength(count);
      await server.close();
    }

    const last = await setupConversation({ ...settings, fakeClock: true, seed: 'last' });
    const stream = await last.follow(id);
    await stream.until(idle);

    const types = (await last.log(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'session.status_rescheduled')).toHaveLength(stops);
    expect(types).not.toContain('session.error');
    expect(types.slice(-3)).toEqual([
      'agent.message',
      'span.model_request_end',
      'session.status_idle',
    ]);
  });

  it('ends with an error after five attempts', async () => {
    const { settings, requests } = await setup([paidResponse], { data: temporaryFolder() });
    const first = await setupServer(settings);
    const { token } = await first.issue();
    const call = async (method: string, path: string, body?: object) => {
      const response = await first.requestAsUser(token, method, `/agent/v1/sessions${path}`, body);
      return (await response.json()) as { id: string; data: unknown[] };
    };
    const { id } = await call('POST', '');
    await first.store.db
      .insertInto('runs')
      .values({ session_id: id, id: 'r', user_scope: 'user:agt:ada', started_at: 0, attempt: 5 })
      .execute();
    await call('POST', `/${id}/events`, { events: [message('hello')] });

    await expect
      .poll(async () => (await call('GET', `/${id}/events`)).data)
      .toMatchObject([
        { type: 'user.message' },
        { type: 'session.error', error: { type: 'run_failed_error' } },
        { type: 'session.status_idle', stop_reason: { type: 'retries_exhausted' } },
      ]);
    expect(requests).toHaveLength(0);
  });
});
