import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';

/** A clock, and a note of when and which timer fired. */
function setup() {
  const clock = new FakeClock();
  const fired: string[] = [];
  const at = (name: string, milliseconds: number, on: Pick<FakeClock, 'setTimeout'> = clock) =>
    on.setTimeout(() => fired.push(`${name} ${clock.elsewhere.mono()}`), milliseconds);
  return { clock, fired, at };
}

describe('FakeClock', () => {
  it('fires timers in order of time, then of creation', async () => {
    const { clock, fired, at } = setup();
    at('late', 20);
    at('first', 10);
    at('second', 10);
    clock.clearTimeout(at('never', 5));
    await clock.advance(15);
    expect(fired).toEqual(['first 10', 'second 10']);
    expect([clock.pending, clock.next]).toEqual([1, 5]);
    await clock.advance(5);
    expect(fired).toEqual(['first 10', 'second 10', 'late 20']);
    expect([clock.pending, clock.next, clock.mono()]).toEqual([0, null, 20]);
  });

  it('runs promise callbacks before it advances', async () => {
    const { clock, fired, at } = setup();
    clock.setTimeout(() => void Promise.resolve().then(() => at('chained', 5)), 10);
    await clock.advance(15);
    expect(fired).toEqual(['chained 15']);
  });

  it('stops its timers during sleep, but not the wall clock', async () => {
    const { clock, fired, at } = setup();
    const start = clock.now();
    at('page', 100);
    at('elsewhere', 1_000, clock.elsewhere);
    await clock.sleep(5_000);
    expect(fired).toEqual(['elsewhere 1000']);
    expect([clock.now() - start, clock.mono()]).toEqual([5_000, 0]);
    await clock.advance(100);
    expect(fired).toEqual(['elsewhere 1000', 'page 5100']);
  });

  it('can have a wrong wall clock of its own', () => {
    const { clock } = setup();
    clock.setBy(-60_000);
    clock.drift(3);
    expect(clock.elsewhere.now() - clock.now()).toBe(60_000);
    expect([clock.mono(), clock.elsewhere.mono()]).toEqual([3, 0]);
  });

  it('fires a timer that is too long for a browser at once, as a browser does', async () => {
    const { clock, fired, at } = setup();
    at('too long', 2 ** 31);
    at('parts of milliseconds', 1.9);
    await clock.advance(1);
    expect(fired).toEqual(['too long 0', 'parts of milliseconds 1']);
  });

  it('throws when timers repeat without advancing time', async () => {
    const { clock } = setup();
    const again = () => void clock.setTimeout(again, 0);
    again();
    await expect(clock.advance(1)).rejects.toThrow('no time passes');
  });
});
