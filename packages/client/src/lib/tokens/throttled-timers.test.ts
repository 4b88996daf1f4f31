import { describe, expect, it } from 'vitest';
import { browserPorts, type Clock } from '../ports.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { minute } from '../testing/token-setup.ts';
import { hostTokens } from './sources/host.ts';
import { TokenManager } from './token-manager.ts';

/** Creates a clock whose timers fire only once a minute, as in hidden tabs. */
function throttledClock(clock: FakeClock): Clock {
  const untilFullMinute = (milliseconds: number) =>
    Math.ceil((clock.mono() + milliseconds) / minute) * minute - clock.mono();
  return {
    now: clock.now,
    mono: clock.mono,
    clearTimeout: clock.clearTimeout,
    setTimeout: (callback, milliseconds) =>
      clock.setTimeout(callback, untilFullMinute(milliseconds)),
  };
}

async function setupHidden() {
  const clock = new FakeClock();
  const page = new FakePage();
  const issued: number[] = [];
  const manager = new TokenManager({
    source: hostTokens(() => {
      issued.push(clock.mono());
      return `et_${issued.length}`;
    }),
    baseUrl: 'http://platform.test',
    ports: browserPorts({ clock: throttledClock(clock), page, random: () => 0 }),
    describe: async () => ({ lifetime: 5 * minute, subject: 'ada', serverTime: 1_000_000 }),
  });
  await manager.get();
  page.emit('hidden');
  const ageOf = (token: string) => clock.mono() - (issued[Number(token.slice(3)) - 1] ?? 0);
  return { clock, page, manager, issued, ageOf };
}

describe('a hidden tab whose timers fire once a minute', () => {
  it('T18: always has a valid token', async () => {
    const { clock, manager, issued, ageOf } = await setupHidden();
    for (let count = 0; count < 200; count += 1) {
      await clock.advance(17_300);
      const before = issued.length;
      expect(ageOf(await manager.get())).toBeLessThan(5 * minute);
      // `get` returned the current token without a refresh.
      expect(issued.length).toBe(before);
    }
    expect(issued.length).toBeLessThan(20);
  });

  it('T18: refreshes an expired token once for two requests when its timers are delayed', async () => {
    const { clock, manager, issued, ageOf } = await setupHidden();
    clock.sleep(6 * minute);
    const calls = Promise.all([manager.get(), manager.get()]);
    await clock.advance(0);

    for (const token of await calls) expect(ageOf(token)).toBe(0);
    expect(issued).toHaveLength(2);
  });
});
