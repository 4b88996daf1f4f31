import { describe, expect, it } from 'vitest';
import { createTestBed } from './test-bed.ts';

describe('TestBed', () => {
  it('explains why until() failed', async () => {
    const bed = createTestBed();
    await expect(bed.until(() => false)).rejects.toThrow('No timer is pending');
    bed.clock.setTimeout(() => {}, 10_000);
    await expect(bed.until(() => false, 5_000)).rejects.toThrow('within 5000 ms');
    await bed.clock.advance(10_000);
    await bed.close();
  });

  it('makes the same requests and reports the same diagnostics for the same seed', async () => {
    const run = async () => {
      const answer = [{ say: 'A long and winding answer', delay_ms: 20 }];
      const bed = createTestBed({ seed: 7, answer });
      const conversation = bed.client.conversation();
      await conversation.send('Hi');
      await bed.clock.advance(50);
      bed.faults.cutStreams();
      await bed.until(() => conversation.state.stopReason !== null);
      await bed.close();
      return { requests: bed.platform.requests, diagnostics: bed.diagnostics };
    };
    expect(await run()).toEqual(await run());
  });

  it('reports leftover timers', async () => {
    const bed = createTestBed();
    bed.clock.setTimeout(() => {}, 1_000);
    await expect(bed.close()).rejects.toThrow('left 1 timers');
  });

  it('issues no token without a signed-in user', async () => {
    const bed = createTestBed({ user: null });
    await expect(bed.client.config()).rejects.toMatchObject({ code: 'AUTH_DENIED' });
    bed.user = 'ada';
    await bed.client.reconnect();
    expect((await bed.client.config()).token.external_user_id).toBe('ada');
    await bed.close();
  });

  it('describes the state when until() times out', async () => {
    const bed = createTestBed({ answer: null });
    await bed.client.conversation().send('Hi');
    const wait = bed.until(() => false, 1_000);
    await expect(wait).rejects.toThrow(
      /tab 1: auth ok\n {2}ses_1: idle, 1 readers, … user.message/,
    );
    await bed.close();
  });
});
