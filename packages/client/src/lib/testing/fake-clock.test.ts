import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';

/** A clock, and a list of the fired timers with their times. */
function setup() {
  const clock = new FakeClock();
  const fired: string[] = [];
  const setTimer = (
    name: string,
    milliseconds: number,
    timerClock: Pick<FakeClock, 'setTimeout'> = clock,
  ) => timerClock.setTimeout(() => fired.push(`${name} ${clock.elsewhere.mono()}`), milliseconds);
  return { clock, fired, setTimer };
}

describe('FakeClock', () => {
  it('fires timers in order of time, then of creation', async () => {
    const { clock, fired, setTimer } = setup();
    setTimer('late', 20);
    setTimer('first', 10);
    setTimer('second', 10);
    clock.clearTimeout(setTimer('never', 5));
    await clock.advance(15);
    expect(fired).toEqual(['first 10', 'second 10']);
    expect([clock.pending, clock.next]).toEqual([1, 5]);
    await clock.advance(5);
    expect(fired).toEqual(['first 10', 'second 10', 'late 20']);
    expect([clock.pending, clock.next, clock.mono()]).toEqual([0, null, 20]);
  });

  it('runs promise callbacks before it advances', async () => {
    const { clock, fired, setTimer } = setup();
    clock.setTimeout(() => void Promise.resolve().then(() => setTimer('chained', 5)), 10);
    await clock.advance(15);
    expect(fired).toEqual(['chained 15']);
  });

  it('stops its timers during sleep, but not its wall clock', async () => {
    const { clock, fired, setTimer } = setup();
    const start = clock.now();
    setTimer('page', 100);
    setTimer('elsewhere', 1_000, clock.elsewhere);
    await clock.sleep(5_000);
    expect(fired).toEqual(['elsewhere 1000']);
    expect([clock.now() - start, clock.mono()]).toEqual([5_000, 0]);
    await clock.advance(100);
    expect(fired).toEqual(['elsewhere 1000', 'page 5100']);
  });

  it('adjusts its wall clock and its drift without an effect on `elsewhere`', () => {
    const { clock } = setup();
    clock.adjustWallClock(-60_000);
    clock.drift(3);
    expect(clock.elsewhere.now() - clock.now()).toBe(60_000);
    expect([clock.mono(), clock.elsewhere.mono()]).toEqual([3, 0]);
  });

  it('fires a timer of more than 2³¹ − 1 ms immediately, as browsers do', async () => {
    const { clock, fired, setTimer } = setup();
    setTimer('too long', 2 ** 31);
    setTimer('parts of milliseconds', 1.9);
    await clock.advance(1);
    expect(fired).toEqual(['too long 0', 'parts of milliseconds 1']);
  });

  it('throws when timers repeat without advancing time', async () => {
    const { clock } = setup();
    const repeat = () => void clock.setTimeout(repeat, 0);
    repeat();
    await expect(clock.advance(1)).rejects.toThrow('without advancing time');
  });
});
