import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import type { TestStream } from '../testing/follow.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');

async function lastEvent(stream: TestStream) {
  const events = await stream.toEnd();
  return events.at(-1);
}

describe('a stream whose token becomes invalid', () => {
  it('S22: ends with a `session.error` event that has the code EMBED_TOKEN_REVOKED and no SSE id', async () => {
    const { create, follow, backend, issuanceId } = await setupConversation();
    const stream = await follow(await create('hello'));
    await stream.until(idle);

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);

    expect(await lastEvent(stream)).toMatchObject({
      id: undefined,
      event: 'session.error',
      data: {
        type: 'session.error',
        id: expect.stringMatching(/^evt_/),
        processed_at: expect.any(String),
        error: {
          type: 'embed_token_error',
          code: 'EMBED_TOKEN_REVOKED',
          retry_status: { type: 'terminal' },
        },
      },
    });
  });

  it('R04: ends, while streams of other tokens and the run continue', async () => {
    const { create, follow, backend, issuanceId, issue } = await setupConversation({
      agent: { model: { provider: 'scripted', delay_ms: 2, first_delay_ms: 0 } },
    });
    const other = await issue();
    const id = await create('table');
    const first = await follow(id);
    const second = await follow(id, {}, other.token);
    await first.until(isType('event_delta'));
    await second.until(isType('event_delta'));

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
    const end = await second.until(idle);
    await first.toEnd();

    expect(first.seen.some(idle)).toBe(false);
    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(second.seen.find(isType('agent.message'))?.data).not.toHaveProperty('incomplete');
  });

  it.each(['revoke_tokens', 'block'])(
    'R04, R07: ends together with the run and all other streams of the user after %s',
    async (action) => {
      const { create, follow, backend, issue, store } = await setupConversation({
        agent: { model: { provider: 'scripted', delay_ms: 20, first_delay_ms: 0 } },
      });
      const agentId = (await store.db.selectFrom('issuances').select('agent_id').executeTakeFirst())
        ?.agent_id;
      const id = await create('long');
      const first = await follow(id);
      const second = await follow(id, {}, (await issue()).token);
      await first.until(isType('event_delta'));

      const response = await backend('POST', `/agent/v1/agents/${agentId}/end_users/ada/${action}`);

      expect(response.status).toBe(200);
      for (const stream of [first, second]) {
        expect((await lastEvent(stream))?.data).toMatchObject({
          error: { code: 'EMBED_TOKEN_REVOKED' },
        });
      }
      await expect
        .poll(() =>
          store.db.selectFrom('sessions').select('status').where('id', '=', id).executeTakeFirst(),
        )
        .toEqual({ status: 'idle' });
    },
  );

  it('A07: ends if the publishable key of the visitor is removed', async () => {
    const { create, follow, requestAsPage, backend, call } = await setupConversation();
    const anonymous = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const { token } = (await anonymous.json()) as { token: string };
    const created = await call('POST', '/sessions', {}, {}, token);
    const stream = await follow(((await created.json()) as { id: string }).id, {}, token);
    const other = await follow(await create('hello'));
    await other.until(idle);

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_next' }] });

    expect((await lastEvent(stream))?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_REVOKED', retry_status: { type: 'terminal' } },
    });
    const refused = await call('GET', '/embed/config', undefined, {}, token);
    expect(refused.headers.get('x-service-problem-code')).toBe('EMBED_TOKEN_REVOKED');
    expect((await call('GET', '/embed/config')).status).toBe(200);
  });

  it('S23: cannot be resumed by a client that was disconnected before the revocation', async () => {
    const { create, follow, backend, call, issuanceId } = await setupConversation();
    const id = await create('hello');
    const stream = await follow(id);
    await stream.until(idle);
    stream.cut();

    await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);

    const { response } = await follow(id, { 'last-event-id': '1' });
    const polled = await call('GET', `/sessions/${id}/events?after_seq=99&wait=25`);
    for (const refused of [response, polled]) {
      expect(refused.status).toBe(401);
      expect(refused.headers.get('x-service-problem-code')).toBe('EMBED_TOKEN_REVOKED');
    }
  });

  it('S20: ends with EMBED_TOKEN_EXPIRED at the time of expiry', async () => {
    const { create, follow, issue, clock } = await setupConversation({ fakeClock: true });
    const { token } = await issue('ada', { ttl_seconds: 60 });
    const stream = await follow(await create('hello'), {}, token);
    await stream.until(idle);

    clock.advance(59_999);
    expect(stream.seen.at(-1)?.data.type).toBe('session.status_idle');
    clock.advance(1);

    expect((await lastEvent(stream))?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_EXPIRED' },
    });
  });

  it('ends if the token is revoked while the stream is being opened', async () => {
    const clock = createFakeClock();
    let whenRegistered = () => {};
    const realClock = {
      now: clock.now,
      // The timer for the token's expiry is set when the stream is registered.
      after(milliseconds: number, callback: () => void) {
        if (milliseconds > 60_000) whenRegistered();
        return clock.after(milliseconds, callback);
      },
    };
    const { create, follow, store, issuanceId } = await setupConversation({ realClock });
    const id = await create();
    const revocation = store.db
      .updateTable('issuances')
      .set({ revoked_at: clock.now() })
      .where('id', '=', issuanceId);
    let revoked: Promise<unknown> | null = null;
    whenRegistered = () => {
      revoked ??= revocation.execute();
    };

    const stream = await follow(id);

    expect((await lastEvent(stream))?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_REVOKED' },
    });
    await revoked;
  });

  it('ends, and stops counting as a concurrent request, if the token cannot be looked up', async () => {
    let whenRegistered = () => {};
    const realClock = {
      ...systemClock,
      after(milliseconds: number, callback: () => void) {
        if (milliseconds > 60_000 && milliseconds < 3_600_000) whenRegistered();
        return systemClock.after(milliseconds, callback);
      },
    };
    const { create, follow, store, logLines } = await setupConversation({
      realClock,
      agent: {
        embed: {
          allowed_origins: ['https://app.example.com'],
          limits: { requests_per_second: 100, concurrent: 1 },
        },
      },
    });
    const id = await create();
    let broken: Promise<unknown> | null = null;
    whenRegistered = () => {
      broken ??= sql`alter table token_values rename to hidden`.execute(store.db);
    };

    const stream = await follow(id);

    expect(await stream.toEnd()).toEqual([]);
    await broken;
    await sql`alter table hidden rename to token_values`.execute(store.db);
    expect(logLines.join('')).toContain('stream failed');
    expect((await follow(id)).response.status).toBe(200);
  });

  it.each([
    ['R02: the revocation', 'revoked_at', 'EMBED_TOKEN_REVOKED'],
    ['the expiry by the backend', 'expired_at', 'EMBED_TOKEN_EXPIRED'],
  ] as const)(
    'ends within two seconds if the bus message of %s was lost',
    async (_, column, code) => {
      const { create, follow, store, clock, issuanceId } = await setupConversation({
        fakeClock: true,
      });
      const stream = await follow(await create('hello'));
      await stream.until(idle);

      await store.db
        .updateTable('issuances')
        .set({ [column]: clock.now() })
        .where('id', '=', issuanceId)
        .execute();
      clock.advance(2_000);

      expect((await lastEvent(stream))?.data).toMatchObject({ error: { code } });
    },
  );
});

describe('a stream whose token is valid', () => {
  it('S13: starts with a comment of more than 2 KiB, and sends a heartbeat comment after 15 seconds without events', async () => {
    const { create, clock, token, url } = await setupConversation({ fakeClock: true });
    const id = await create('hello');
    const response = await fetch(`${url}/agent/v1/sessions/${id}/events/stream`, {
      headers: {
        authorization: `Bearer ${token}`,
        origin: 'https://app.example.com',
        'accept-encoding': 'gzip, br',
      },
    });
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-encoding')).toBeNull();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

    const padding = (await reader?.read())?.value;
    expect(padding).toMatch(/^: +\n\n$/);
    // Some proxies buffer the first 2 KiB.
    expect(padding?.length).toBeGreaterThan(2048);
    clock.advance(16_000);
    expect((await reader?.read())?.value).toBe(': \n\n');
    await reader?.cancel();
  });

  it('S12: ends at a random time after eight to ten minutes', async () => {
    const { call, create, follow, clock, issue } = await setupConversation({ fakeClock: true });
    const { token } = await issue('ada', { ttl_seconds: 3600 });
    const id = await create('hello');
    const streams = await Promise.all(Array.from({ length: 40 }, () => follow(id, {}, token)));
    await Promise.all(streams.map((stream) => stream.until(idle)));
    /** Counts the open streams: those that receive an event with this title. */
    const countOpen = async (title: string) => {
      await call('POST', `/sessions/${id}`, { title }, {}, token);
      const seen = await Promise.allSettled(
        streams.map((stream) => stream.until(({ data }) => data.title === title)),
      );
      return seen.filter(({ status }) => status === 'fulfilled').length;
    };

    clock.advance(479_000);
    expect(await countOpen('after eight minutes')).toBe(40);
    clock.advance(60_000);
    const remaining = await countOpen('after nine');
    expect(remaining).toBeGreaterThan(10);
    expect(remaining).toBeLessThan(30);
    clock.advance(62_000);

    expect(await countOpen('after ten')).toBe(0);
    for (const { seen } of streams) expect(seen.some(isType('session.error'))).toBe(false);
  });
});
