import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../diagnostics.ts';
import { setupSessionStream as setup } from '../testing/session-stream-setup.ts';

/** The delays before the attempts to reconnect, in milliseconds. */
const delaysOf = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.flatMap((each) => (each.type === 'stream_retry' ? [each.delayMs] : []));

describe('SessionStream', () => {
  it('forwards each event once, and resumes after the last event', async () => {
    const { transport, received, clock } = await setup({ after: 2 });
    transport.last.open().event(2);
    transport.last.event(3);
    transport.last.event(3);
    transport.last.event(4);
    transport.last.fail(0);
    await clock.advance(3_000);

    expect(received).toEqual([3, 4]);
    expect(transport.last.attempt.headers['last-event-id']).toBe('4');
  });

  it('S01: reconnects after 45 seconds without bytes, and counts comments as bytes', async () => {
    const { transport, clock, connections } = await setup();
    transport.last.open();
    for (let count = 0; count < 8; count += 1) {
      await clock.advance(15_000);
      transport.last.heartbeat();
    }
    expect(transport.attempts).toHaveLength(1);
    await clock.advance(46_500);
    expect(transport.attempts).toHaveLength(2);
    expect(connections).toEqual(['connecting', 'open', 'reconnecting']);
  });

  it('S11: backs off when streams end immediately after they open', async () => {
    const { transport, clock, diagnostics } = await setup({ random: 0.999 });
    for (let count = 0; count < 20; count += 1) {
      transport.last.open().close();
      await clock.advance(30_000);
    }
    expect(delaysOf(diagnostics)[0]).toBeLessThanOrEqual(3_000);
    expect(delaysOf(diagnostics).slice(5)).toEqual(Array(15).fill(29_970));
  });

  it('resets the backoff after a stream that stays open for 11 seconds', async () => {
    const { transport, clock, diagnostics } = await setup({ random: 0.999 });
    for (let count = 0; count < 4; count += 1) {
      transport.last.fail(0);
      await clock.advance(30_000);
    }
    transport.last.open();
    await clock.advance(11_000);
    transport.last.fail(0);
    await clock.advance(0);
    expect(delaysOf(diagnostics)).toEqual([2_997, 5_994, 11_988, 23_976, 2_997]);
  });

  it('S05: raises a `retry` delay of the server to at least 0.5 seconds, and lowers it to at most 30 seconds', async () => {
    for (const [retry, delay] of [
      [0, 500],
      [-1, 500],
      [10_000, 10_000],
      [1e9, 30_000],
    ] as const) {
      const { transport, clock, diagnostics } = await setup({ random: 1 });
      transport.last.open();
      transport.last.attempt.onRetry(retry);
      transport.last.close();
      await clock.advance(0);
      expect(delaysOf(diagnostics)).toEqual([delay]);
    }
  });

  it('T34: waits for the `Retry-After` of a 429 despite page events, and requests no token', async () => {
    const { transport, clock, page, tokenCalls } = await setup({ random: 0 });
    transport.last.fail(429, 'RATE_LIMITED', 20_000);
    await clock.advance(0);
    page.emit('visible');
    page.emit('online');
    await clock.advance(19_000);
    expect(transport.attempts).toHaveLength(1);
    await clock.advance(1_000);
    expect(transport.attempts).toHaveLength(2);
    expect(tokenCalls).toHaveLength(1);
  });

  it('S14: has at most one connection when the page is hidden and shown repeatedly', async () => {
    const { transport, clock, page, stream } = await setup({ random: 0.9 });
    transport.last.fail(0);
    for (let count = 0; count < 20; count += 1) {
      page.emit('hidden');
      page.emit('visible');
      await clock.advance(10);
      expect(transport.open).toBeLessThanOrEqual(1);
    }
    stream.close();
    await clock.advance(0);
    expect(transport.open).toBe(0);
  });

  it('closes the connection five minutes after the page is hidden, and reconnects when the page is shown', async () => {
    const { transport, clock, page, connections } = await setup();
    transport.last.open();
    page.emit('hidden');
    for (let count = 0; count < 29; count += 1) {
      await clock.advance(10_000);
      transport.last.heartbeat();
    }
    expect(transport.open).toBe(1);
    await clock.advance(11_000);
    expect(transport.open).toBe(0);
    expect(connections.at(-1)).toBe('idle');
    page.emit('visible');
    await clock.advance(3_000);
    expect(transport.open).toBe(1);
  });

  it('S15: reconnects immediately, with one attempt, when the page is online again or restored', async () => {
    const { transport, clock, page, connections } = await setup({ random: 0.9 });
    transport.last.open();
    page.emit('offline');
    await clock.advance(60_000);
    expect(connections.at(-1)).toBe('offline');
    expect(transport.attempts).toHaveLength(1);
    page.emit('online');
    await clock.advance(100);
    expect(transport.attempts).toHaveLength(2);
    transport.last.open();
    page.emit('restored');
    await clock.advance(100);
    expect(transport.attempts).toHaveLength(3);
    expect(transport.open).toBe(1);
  });

  it('keeps a live stream when the page is shown, and reconnects after sleep', async () => {
    const { transport, clock, page } = await setup({ random: 0.9 });
    transport.last.open();
    page.emit('visible');
    await clock.advance(100);
    expect(transport.attempts).toHaveLength(1);
    clock.sleep(600_000);
    page.emit('visible');
    await clock.advance(100);
    expect(transport.attempts).toHaveLength(2);
  });

  it('S18: continues after an event that can’t be processed, and reports it', async () => {
    const defect = new TypeError('undefined is not a function');
    const { transport, received, diagnostics } = await setup({
      onEvent: () => {
        throw defect;
      },
    });
    transport.last.open().event(1);
    transport.last.event(2);
    expect(received).toEqual([1, 2]);
    const [first, second] = ['evt_1', 'evt_2'].map((eventId) => ({
      ...{ type: 'unexpected_error', error: defect, eventId },
    }));
    expect(diagnostics).toEqual([first, second]);
  });

  it('ends after an exception of the transport that is not an `InlayError`, and reports it', async () => {
    const { transport, clock, connections, ends, diagnostics } = await setup();
    const defect = new TypeError('undefined is not a function');
    transport.last.open().break(defect);
    await clock.advance(3_600_000);
    expect(transport.attempts).toHaveLength(1);
    expect([connections.at(-1), ends]).toEqual(['closed', ['UNEXPECTED_ERROR']]);
    expect(diagnostics).toEqual([{ type: 'unexpected_error', error: defect, eventId: null }]);
  });

  it('S21: reconnects with the current token', async () => {
    const { transport, clock, manager } = await setup();
    transport.last.open();
    await clock.advance(10_000);
    const next = manager.replace(
      'et_1',
      await import('../errors.ts').then(
        ({ InlayError }) => new InlayError('EMBED_TOKEN_EXPIRED', 'no', { status: 401 }),
      ),
    );
    await clock.advance(100);
    expect(await next).toBe('et_2');
    transport.last.fail(0);
    await clock.advance(3_000);
    expect(transport.last.attempt.headers.authorization).toBe('Bearer et_2');
  });

  it('T11: ends when two tokens in succession are rejected', async () => {
    const { transport, clock, ends, tokenCalls } = await setup();
    await clock.advance(10_000);
    transport.last.fail(401, 'EMBED_TOKEN_EXPIRED');
    await clock.advance(100);
    transport.last.fail(401, 'AUTHENTICATION_ERROR');
    await clock.advance(600_000);
    expect(tokenCalls).toHaveLength(2);
    expect(transport.attempts).toHaveLength(2);
    expect(ends).toEqual(['denied: AUTHENTICATION_ERROR']);
  });
});
