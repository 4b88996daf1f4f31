import { once } from 'node:events';
import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { stalledStream } from '../testing/raw-stream.ts';
import { setupConversation } from '../testing/setup-conversation.ts';

/**
 * Creates events that are together larger than the buffers of a connection in the operating system.
 */
function largeEvents(): LogEvent<'agent.message'>[] {
  return Array.from({ length: 24 }, (_, index) => ({
    type: 'agent.message',
    id: `evt_large_${index}`,
    processed_at: '2026-01-15T12:00:00.000Z',
    seq: index + 1,
    content: [{ type: 'text', text: 'x'.repeat(900_000) }],
  }));
}

describe('a client that opens a stream and reads nothing', () => {
  it('R05: is disconnected within a second after its token is revoked', async () => {
    const { create, url, token, backend, issuanceId, connections, clock, store } =
      await setupConversation({ fakeClock: true });
    const id = await create();
    const rows = largeEvents().map((event) => ({
      session_id: id,
      seq: event.seq,
      id: event.id,
      type: event.type,
      json: JSON.stringify(event),
      processed_at: 0,
    }));
    await store.db.insertInto('events').values(rows).execute();
    const socket = stalledStream(url, { id, token });
    await once(socket, 'readable');

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
    expect(await connections()).toBe(1);
    clock.advance(1_000);

    await expect.poll(connections).toBe(0);
  });

  it('is disconnected if its buffer exceeds 1 MiB, without delaying other clients', async () => {
    const { create, url, token, connections, follow, bus } = await setupConversation();
    const id = await create();
    const reading = await follow(id);
    const socket = stalledStream(url, { id, token });
    await once(socket, 'readable');

    for (const event of largeEvents()) {
      await bus.publish({ kind: 'session_events', sessionId: id, events: [event] });
      await reading.until(({ data }) => data.id === event.id);
    }

    await expect.poll(connections).toBe(1);
  });
});
