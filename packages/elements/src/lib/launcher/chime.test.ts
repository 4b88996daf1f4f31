import { expect } from '../testing/fixture.ts';
import { playChime, scheduleChime } from './chime.ts';

describe('scheduleChime', () => {
  it('creates a sound of at most 0.6 seconds with a peak of at most 0.15', async () => {
    const rate = 8000;
    const context = new OfflineAudioContext(1, rate, rate);

    scheduleChime(context);

    const samples = (await context.startRendering()).getChannelData(0);
    const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
    expect(peak).to.be.within(0.02, 0.15);
    const after = samples.subarray(0.6 * rate);
    expect(after.every((sample) => Math.abs(sample) < 0.001)).to.equal(true);
  });
});

describe('playChime', () => {
  it('creates no audio context before the first user gesture on the page', async () => {
    let contexts = 0;
    const { AudioContext: RealAudioContext } = window;
    class CountedAudioContext extends RealAudioContext {
      constructor() {
        super();
        contexts += 1;
      }
    }
    Object.assign(window, { AudioContext: CountedAudioContext });

    await playChime();

    Object.assign(window, { AudioContext: RealAudioContext });
    expect(contexts).to.equal(0);
  });
});
