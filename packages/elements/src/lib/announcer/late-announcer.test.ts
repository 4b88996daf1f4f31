import { expect } from '../testing/fixture.ts';
import { Announcer } from './announcer.ts';
import { LateAnnouncer } from './late-announcer.ts';

function setup() {
  const announcer = new LateAnnouncer({
    verbosity: () => 'answers',
    strings: () => {
      throw new Error('No words are wanted here.');
    },
    agentName: () => 'Ada',
    onChange: () => {},
  });
  return { announcer, told: () => announcer.announcements.map(({ text }) => text) };
}

describe('LateAnnouncer', () => {
  it('tells in its order what was to be told before its file came, and at once from then on', () => {
    const { announcer, told } = setup();
    announcer.say('One');
    announcer.tell((it) => it.say('Two'));
    expect(told()).to.deep.equal([]);

    announcer.arrive(Announcer);
    announcer.say('Three');

    expect(told()).to.deep.equal(['One', 'Two', 'Three']);
  });

  it('forgets what waits when nothing of it may be told any more', () => {
    const { announcer, told } = setup();
    announcer.say('Of the former person');
    announcer.clear();
    announcer.say('Of the next');

    announcer.arrive(Announcer);

    expect(told()).to.deep.equal(['Of the next']);
  });
});
