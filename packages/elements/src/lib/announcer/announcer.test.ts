import fc from 'fast-check';
import { english } from '../i18n/strings.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { Announcer, type Verbosity } from './announcer.ts';

function setup(verbosity: Verbosity = 'sentences') {
  const waiting = new Set<{ readonly at: number; readonly callback: () => void }>();
  let now = 0;
  const announced: string[] = [];
  const announcer = new Announcer({
    verbosity: () => verbosity,
    strings: () => english,
    agentName: () => 'Ada',
    onChange: () => announced.push(announcer.announcements.at(-1)?.text ?? ''),
    schedule: (callback, milliseconds) => {
      const timer = { at: now + milliseconds, callback };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    for (const timer of [...waiting].sort((a, b) => a.at - b.at)) {
      if (timer.at <= now && waiting.delete(timer)) timer.callback();
    }
  };
  const grow = (text: string) =>
    announcer.update(entries.agent('a', text, { progress: 'streaming' }));
  const finish = (text: string, progress: 'done' | 'stopped' | 'failed' = 'done') => {
    announcer.finish(entries.agent('a', text, { progress }));
    announcer.idle();
  };
  return { announcer, announced, pass, grow, finish };
}

describe('Announcer', () => {
  it('announces whole sentences, and the end', () => {
    const { announcer, announced, pass, grow, finish } = setup();
    announcer.start();
    grow('It left Ba');
    pass(1200);
    grow('It left Basel. It is in *Lu');
    pass(1200);
    finish('It left Basel. It is in *Lucerne* now.');

    expect(announced).to.deep.equal([
      'Ada is answering',
      'Ada: It left Basel.',
      'It is in Lucerne now.',
      'End of the answer',
    ]);
  });

  it('announces a short message together with its end', () => {
    const { announced, grow, finish } = setup();
    grow('Yes.');
    finish('Yes.');

    expect(announced).to.deep.equal(['Ada: Yes.', 'End of the answer']);
  });

  it('announces once that the agent is still working, unless sentences are announced', () => {
    const silent = setup();
    silent.announcer.start();
    silent.pass(60_000);
    expect(silent.announced).to.deep.equal(['Ada is answering', 'Still working']);

    const speaking = setup();
    speaking.announcer.start();
    speaking.grow('First this. ');
    speaking.pass(60_000);
    expect(speaking.announced).to.deep.equal(['Ada is answering', 'Ada: First this.']);
  });

  it('announces one end for a run with several messages', () => {
    const { announcer, announced, grow } = setup();
    announcer.start();
    grow('Let me look.');
    announcer.finish(entries.agent('a', 'Let me look.'));
    announcer.finish(entries.agent('b', 'It left.'));
    announcer.idle();

    expect(announced).to.deep.equal([
      'Ada is answering',
      'Ada: Let me look.',
      'Ada: It left.',
      'End of the answer',
    ]);
  });

  it('announces neither work nor an end while the agent waits for the user', () => {
    const { announcer, announced, pass, grow } = setup();
    announcer.start();
    grow('May I?');
    announcer.finish(entries.agent('a', 'May I?'));
    announcer.wait();
    pass(60_000);
    expect(announced).to.deep.equal(['Ada is answering', 'Ada: May I?']);

    announcer.idle();
    expect(announced.at(-1)).to.equal('End of the answer');
  });

  it('announces that a message was stopped or failed', () => {
    const stopped = setup();
    stopped.finish('One. Tw', 'stopped');
    const failed = setup();
    failed.finish('One. Tw', 'failed');

    expect(stopped.announced.at(-1)).to.equal('Stopped');
    expect(failed.announced.at(-1)).to.equal('Answer interrupted');
  });

  it('announces only what the verbosity allows', () => {
    const announced = (verbosity: Verbosity) => {
      const { announcer, announced, pass, grow, finish } = setup(verbosity);
      announcer.start();
      grow('One. Two. ');
      pass(5000);
      finish('One. Two. Three.');
      announcer.say('Copied');
      return announced;
    };

    expect(announced('answers')).to.deep.equal([
      'Ada is answering',
      'Ada: One. Two. Three.',
      'Copied',
    ]);
    expect(announced('brief')).to.deep.equal(['Ada is answering', 'Ada has answered', 'Copied']);
    expect(announced('off')).to.deep.equal(['Copied']);
  });

  it('announces nothing of the previous conversation after a change', () => {
    const { announcer, announced, pass, grow } = setup();
    announcer.start();
    grow('One. ');
    announcer.clear();
    pass(60_000);

    expect(announced).to.deep.equal(['Ada is answering']);
    expect(announcer.announcements).to.deep.equal([]);
  });

  it('announces every word once and in order, however the message is split', () => {
    const wordList = fc.array(fc.constantFrom('one', 'two.', 'three!', 'four\n'), { minLength: 1 });
    fc.assert(
      fc.property(wordList, fc.array(fc.nat(2000)), (sentences, pauses) => {
        const { announced, pass, grow, finish } = setup();
        let text = '';
        for (const [index, word] of sentences.entries()) {
          text += `${word} `;
          grow(text);
          pass(pauses[index] ?? 300);
        }
        finish(text);

        const spokenText = announced
          .slice(0, -1)
          .join(' ')
          .replace('Ada: ', '')
          .replace(/\s+/g, ' ')
          .trim();
        expect(spokenText).to.equal(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });
});
