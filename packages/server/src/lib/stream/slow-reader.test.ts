import { once } from 'node:events';
import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store/store.ts';
import { stalledRequest, stalledStream } from '../testing/raw-stream.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

function largeEvent(seq: number, text: string): LogEvent<'agent.message'> {
  return {
    type: 'agent.message',
    id: `evt_large_${seq}`,
    processed_at: '2026-01-15T12:00:00.000Z',
    seq,
    content: [{ type: 'text', text }],
  };
}

/** Creates events that are together larger than the buffers of a connection in the operating system. */
function largeEvents(after = 0): LogEvent<'agent.message'>[] {
  return Array.from({ length: 24 }, (_, index) =>
    largeEvent(after + index + 1, 'x'.repeat(900_000)),
  );
}

async function insertEvents({ db }: Store, id: string, events: LogEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    session_id: id,
    seq: event.seq,
    id: event.id,
    type: event.type,
    json: JSON.stringify(event),
    processed_at: 0,
  }));
  await db.insertInto('events').values(rows).execute();
}

describe('a client that opens a stream and reads nothing', () => {
  it('R05: is disconnected within a second after its token is revoked', async () => {
    const { create, url, token, backend, issuanceId, connections, clock, store } =
      await setupConversation({ fakeClock: true });
    const id = await create();
    await insertEvents(store, id, [largeEvent(1, 'many words '.repeat(2_000_000))]);
    const socket = stalledStream(url, { id, token });
    // More than the head of the response: the server has written the event, which the connection cannot hold.
    while (socket.bytesRead < 10_000) {
      await once(socket, 'readable');
      socket.read();
    }

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
    expect(await connections()).toBe(1);
    clock.advance(1_000);

    await expect.poll(connections).toBe(0);
  });

  it('is disconnected if its buffer exceeds 1 MiB, without delaying other clients', async () => {
    const { create, follow, log, connections, bus } = await setupConversation();
    const id = await create('hello');
    const [reading, stalled] = [await follow(id), await follow(id)];
    await Promise.all(
      [reading, stalled].map((stream) => stream.until(isType('session.status_idle'))),
    );

    for (const event of largeEvents((await log(id)).length)) {
      await bus.publish({ kind: 'session_events', sessionId: id, events: [event] });
      await reading.until(({ data }) => data.id === event.id);
    }

    await expect.poll(connections).toBe(1);
  });
});

describe('a client that does not read a response', () => {
  async function stallResponse(resource: string, request: object = {}) {
    const userLimits = { requests_per_second: 1000, concurrent: 1 };
    const { create, call, url, token, store, connections } = await setupConversation({
      agent: { embed: { allowed_origins: [testOrigin], limits: userLimits } },
      config: { limits: { request: { event_page_bytes: 100_000_000, ...request } } },
    });
    const id = await create();
    await insertEvents(store, id, largeEvents());
    const path = `/agent/v1/sessions/${id}/${resource}`;
    const socket = stalledRequest(url, { path, token });
    await once(socket, 'readable');
    const status = async () => (await call('GET', `/sessions/${id}`)).status;
    return { socket, status, connections };
  }

  it('has a request in progress until its connection closes', async () => {
    const { socket, status } = await stallResponse('events');

    expect(await status()).toBe(429);
    socket.destroy();

    await expect.poll(status).toBe(200);
  });

  it.each(['events', 'export'])(
    'of /%s is disconnected after `request.download_idle_seconds`',
    async (resource) => {
      const { status, connections } = await stallResponse(resource, { download_idle_seconds: 1 });

      await expect.poll(connections).toBe(0);

      await expect.poll(status).toBe(200);
    },
  );
});

it.each(['json', 'markdown'])(
  'an export as %s is read from the log while the client receives it',
  async (format) => {
    const { create, url, token, store } = await setupConversation();
    const id = await create();
    await insertEvents(store, id, largeEvents());
    const path = `/agent/v1/sessions/${id}/export?format=${format}`;
    const socket = stalledRequest(url, { path, token, headers: ['Connection: close'] });
    await once(socket, 'readable');

    const received: Buffer[] = [];
    await store.db.deleteFrom('events').where('seq', '>', 12).execute();
    for await (const bytes of socket) received.push(bytes);

    const count = Buffer.concat(received).toString().split('x'.repeat(900_000)).length - 1;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(24);
  },
);
