import { describe, expect, it } from 'vitest';
import { createPlatformClient } from './platform-client.ts';
import {
  problem,
  type Responder,
  rejectionOf,
  startStubPlatform,
} from './testing/stub-platform.ts';

const updated = (seq: number) => ({
  type: 'session.updated',
  id: `evt_${seq}`,
  seq,
  processed_at: '2026-01-01T00:00:00.000Z',
  title: `Title ${seq}`,
});

/** Responds with a stream of events, and ends it. */
const stream =
  (...events: object[]): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
const refuse: Responder = (response) => {
  response.writeHead(404, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify(problem('NOT_FOUND', 404, false)));
};

async function setup(...responders: Responder[]) {
  const { baseUrl, requests } = await startStubPlatform(...responders);
  const { sessions, files } = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });
  return { requests, sessions, files };
}

describe('sessions.stream', () => {
  it('yields each event of the log once, reconnects after the last one, and ends with the deletion', async () => {
    const { requests, sessions } = await setup(
      stream(updated(1), updated(2)),
      stream(updated(2), { ...updated(3), type: 'session.deleted' }),
    );

    const seen: unknown[] = [];
    for await (const event of sessions.stream('ses_1')) seen.push('seq' in event && event.seq);

    expect(seen).toEqual([1, 2, 3]);
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '2']);
  });

  it('starts after the given event, and yields fragments if they are requested', async () => {
    const delta = {
      type: 'event_delta',
      event_id: 'evt_9',
      delta: { type: 'content_delta', index: 0, content: { type: 'text', text: 'At' } },
    };
    const { requests, sessions } = await setup(stream(delta, updated(8)));

    const events = sessions.stream('ses_1', { afterSeq: 7, deltas: ['agent.message'] });

    expect((await events.next()).value).toEqual(delta);
    expect((await events.next()).value).toMatchObject({ seq: 8 });
    await events.return();
    expect(requests[0]?.headers['last-event-id']).toBe('7');
  });

  it('ignores events of types that it does not know', async () => {
    const { sessions } = await setup(
      stream({ ...updated(1), type: 'session.of_the_future' }, updated(2)),
    );

    expect((await sessions.stream('ses_1').next()).value).toMatchObject({ seq: 2 });
  });

  it('rejects when the conversation is not found', async () => {
    const { sessions } = await setup(refuse);

    expect(await rejectionOf(sessions.stream('ses_1').next())).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('rejects with the reason of the signal', async () => {
    const { sessions } = await setup(stream(updated(1)));
    const controller = new AbortController();
    const events = sessions.stream('ses_1', { signal: controller.signal });
    await events.next();

    controller.abort(new Error('enough'));

    await expect(events.next()).rejects.toThrow('enough');
  });
});

it('sessions.events returns events of types that it does not know', async () => {
  const page = { data: [{ ...updated(1), type: 'x' }], next_cursor: null, next_page: null };
  const { sessions } = await setup((response) => response.end(JSON.stringify(page)));

  expect((await sessions.events('ses_1')).data).toEqual(page.data);
});

it.each(['export', 'content'] as const)(
  '%s returns the response, whose body has not been read',
  async (name) => {
    const { sessions, files } = await setup((response) => response.end('the file'));

    const call = { export: () => sessions.export('ses_1'), content: () => files.content('file_1') };

    expect(await (await call[name]()).text()).toBe('the file');
  },
);
