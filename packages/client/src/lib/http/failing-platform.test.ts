import { describe, expect, it, vi } from 'vitest';
import { setupBed } from '../testing/bed-setup.ts';

/** Opens a conversation, and counts the rejected requests for it during a minute. */
async function requestsInOneMinute(retryAfterSeconds: number): Promise<number> {
  const bed = setupBed();
  const session = bed.platform.createSession({ user: 'ada' });
  bed.faults.failNext({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds }, /sessions/, Infinity);
  bed.client.conversation(session.id);
  await bed.clock.advance(60_000);
  return bed.platform.requests.filter(({ path }) => path.includes('/sessions')).length;
}

describe('a platform that rejects requests', () => {
  it('T34: receives retries with backoff when its `Retry-After` is 0', async () => {
    const attempts = await requestsInOneMinute(0);
    expect(attempts).toBeGreaterThanOrEqual(5);
    expect(attempts).toBeLessThan(60);
  });

  it('T34: receives no retries when its `Retry-After` is longer than the longest timer', async () => {
    const longestTimerMs = 2 ** 31 - 1;
    expect(await requestsInOneMinute(longestTimerMs)).toBeLessThanOrEqual(2);
  });

  it('Q04: receives the retries of clients that got the same 429 at different times, all after its `Retry-After`', async () => {
    const times = await Promise.all(
      Array.from({ length: 12 }, async (_, seed) => {
        const bed = setupBed({ seed, answer: 'Yes.' });
        bed.faults.failNext({ code: 'RATE_LIMITED', retryAfterSeconds: 20 }, 'POST /sessions');
        const sent = bed.client.conversation().send('Hello');
        const start = bed.clock.now();
        await bed.until(() => bed.platform.count('POST /sessions') === 2, 60_000);
        await sent;
        return bed.clock.now() - start;
      }),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...times)).toBeLessThan(22_000);
    expect(new Set(times.map((time) => Math.floor(time / 100))).size).toBeGreaterThan(5);
  });

  it('causes a first message to fail, and the user can send it again', async () => {
    const bed = setupBed({ answer: 'Yes.' });
    bed.faults.failNext({ status: 500 }, 'POST /sessions', Infinity);
    const conversation = bed.client.conversation();
    const failed = conversation.send('Hello').catch(() => 'failed');
    await bed.until(() => conversation.state.entries[0]?.kind === 'user' && isFailed(), 600_000);
    expect(await failed).toBe('failed');
    expect(bed.platform.count('POST /sessions')).toBeLessThan(20);
    bed.faults.clear();
    conversation.retry();
    await bed.until(() => conversation.state.entries.length === 2);
    expect(bed.platform.sessions).toHaveLength(1);

    function isFailed(): boolean {
      const [entry] = conversation.state.entries;
      return entry?.kind === 'user' && entry.delivery === 'failed';
    }
  });
});

describe('a client whose diagnostic listener throws', () => {
  it('reconnects after a disconnect, and reports the exception', async () => {
    const error = new Error('a failure of the host page');
    const reportError = vi.fn();
    vi.stubGlobal('reportError', reportError);
    const bed = setupBed({
      client: {
        onDiagnostic: () => {
          throw error;
        },
      },
    });
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    bed.faults.cutStreams();
    await bed.clock.advance(60_000);
    expect([conversation.state.connection, bed.faults.openStreams]).toEqual(['open', 1]);
    expect(reportError).toHaveBeenCalledWith(error);
    vi.unstubAllGlobals();
  });
});
