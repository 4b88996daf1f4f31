import { expect } from '../testing/fixture.ts';
import { Silence } from './silence.ts';

/** Creates a `Silence` with a clock that the test advances. */
function setup() {
  const timers = new Map<number, () => void>();
  let now = 0;
  let changes = 0;
  const silence = new Silence(
    () => {
      changes += 1;
    },
    (callback, milliseconds) => {
      const at = now + milliseconds;
      timers.set(at, callback);
      return () => timers.delete(at);
    },
  );
  return {
    silence,
    changes: () => changes,
    advance(milliseconds: number) {
      now += milliseconds;
      for (const [at, callback] of timers) {
        if (at > now) continue;
        timers.delete(at);
        callback();
      }
    },
  };
}

describe('a Silence object', () => {
  it('has the length “stalled” after 1.5 seconds without content, and “long” after 10 seconds', () => {
    const { silence, changes, advance } = setup();
    silence.restart(true);
    advance(1499);
    expect([silence.length, changes()]).to.deep.equal(['short', 0]);
    advance(1);
    expect([silence.length, changes()]).to.deep.equal(['stalled', 1]);
    advance(8500);
    expect([silence.length, changes()]).to.deep.equal(['long', 2]);
  });

  it('has the length “short” again after each part of an answer', () => {
    const { silence, advance } = setup();
    silence.restart(true);
    advance(1400);
    silence.restart(true);
    advance(1400);
    expect(silence.length).to.equal('short');
    advance(100);
    expect(silence.length).to.equal('stalled');
    silence.restart(true);
    expect(silence.length).to.equal('short');
  });

  it('stays at the length “short” after the end of the run', () => {
    const { silence, changes, advance } = setup();
    silence.restart(true);
    advance(2000);
    silence.restart(false);
    advance(20_000);
    expect([silence.length, changes()]).to.deep.equal(['short', 1]);
  });
});
