import fc from 'fast-check';
import { english } from '../i18n/all-strings.ts';
import { installExtras } from '../markdown/extras.ts';
import * as markdownExtras from '../markdown/markdown-extras.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { Announcer, type Verbosity } from './announcer.ts';

installExtras(markdownExtras);

function setup(verbosity: Verbosity = 'sentences', loadExtras = async () => {}) {
  const waiting = new Set<{ readonly at: number; readonly callback: () => void }>();
  let now = 0;
  let lastId = 0;
  const announced: string[] = [];
  const announcer = new Announcer({
    verbosity: () => verbosity,
    strings: () => english,
    agentName: () => 'Ada',
    onChange: () => {
      const last = announcer.announcements.at(-1);
      if (last && last.id > lastId) announced.push(last.text);
      lastId = Math.max(lastId, last?.id ?? 0);
    },
    schedule: (callback, milliseconds) => {
      const timer = { at: now + milliseconds, callback };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    loadExtras,
  });
  const advance = (milliseconds: number) => {
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
  return { announcer, announced, advance, grow, finish, waiting };
}

describe('Announcer', () => {
  it('`clear` cancels all timers', () => {
    const { announcer, grow, finish, waiting } = setup();
    announcer.start();
    grow('It left Basel.');
    finish('It left Basel. It is in Lucerne now.');
    announcer.start();
    expect(waiting.size).to.be.above(0);

    announcer.clear();

    expect(waiting.size).to.equal(0);
  });

  it('announces each complete sentence, and the end of the answer', () => {
    const { announcer, announced, advance, grow, finish } = setup();
    announcer.start();
    grow('It left Ba');
    advance(1200);
    grow('It left Basel. It is in *Lu');
    advance(1200);
    finish('It left Basel. It is in *Lucerne* now.');

    expect(announced).to.deep.equal([
      'Ada is answering',
      'Ada: It left Basel.',
      'It is in Lucerne now.',
      'End of the answer',
    ]);
  });

  it('announces a short message, and the end of the answer', () => {
    const { announced, grow, finish } = setup();
    grow('Yes.');
    finish('Yes.');

    expect(announced).to.deep.equal(['Ada: Yes.', 'End of the answer']);
  });

  it('announces “Still working” once if no text arrives', () => {
    const silent = setup();
    silent.announcer.start();
    silent.advance(60_000);
    expect(silent.announced).to.deep.equal(['Ada is answering', 'Still working']);

    const speaking = setup();
    speaking.announcer.start();
    speaking.grow('First this. ');
    speaking.advance(60_000);
    expect(speaking.announced).to.deep.equal(['Ada is answering', 'Ada: First this.']);
  });

  it('announces the end of the answer once for a run with several messages', () => {
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

  it('announces neither “Still working” nor “End of the answer” while the agent waits for the user', () => {
    const { announcer, announced, advance, grow } = setup();
    announcer.start();
    grow('May I?');
    announcer.finish(entries.agent('a', 'May I?'));
    announcer.wait();
    advance(60_000);
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

  it('announces whole answers with the verbosity “answers”, only their completion with “brief”, and neither with “off”', () => {
    const announced = (verbosity: Verbosity) => {
      const { announcer, announced, advance, grow, finish } = setup(verbosity);
      announcer.start();
      grow('One. Two. ');
      advance(5000);
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

  it('removes announcements from the page after five seconds', () => {
    const { announcer, advance } = setup();
    announcer.say('Copied');
    advance(4_000);
    announcer.say('Stopped');
    expect(announcer.announcements.map(({ text }) => text)).to.deep.equal(['Copied', 'Stopped']);

    advance(1_000);
    expect(announcer.announcements.map(({ text }) => text)).to.deep.equal(['Stopped']);
    advance(4_000);
    expect(announcer.announcements).to.deep.equal([]);
  });

  it('announces a complete code block by its language and length', () => {
    const { announced, advance, grow, finish } = setup();
    grow('So:\n```ts\nlet a;\n');
    advance(1200);
    grow('So:\n```ts\nlet a;\n```\nDone. ');
    advance(1200);
    finish('So:\n```ts\nlet a;\n```\nDone. End.');

    expect(announced).to.deep.equal([
      'Ada: So:',
      'Code, TypeScript, 1 line. Done.',
      'End.',
      'End of the answer',
    ]);
  });

  describe('while the chunk for rare Markdown syntax loads', () => {
    beforeEach(() => installExtras(undefined));
    afterEach(() => installExtras(markdownExtras));

    const answer = 'So:\n```ts\nlet a. b;\n```\nDone. ';
    const summary = 'So: Code, TypeScript, 1 line. Done.';

    function setupLoading() {
      let settle = () => {};
      const load = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const loaded = async (module: typeof markdownExtras | undefined) => {
        installExtras(module);
        settle();
        // The announcer awaits `load` too, and its continuation was queued before this one.
        await load;
      };
      return { ...setup('sentences', () => load), loaded };
    }

    it('announces text without rare syntax immediately', () => {
      const { announced, grow, finish } = setupLoading();
      grow('**Yes**, [here](https://a.example).');
      finish('**Yes**, [here](https://a.example).');

      expect(announced).to.deep.equal(['Ada: Yes, here.', 'End of the answer']);
    });

    it('delays a streaming message with code until the chunk has loaded', async () => {
      const { announced, advance, grow, finish, loaded } = setupLoading();
      grow(answer);
      advance(1200);
      grow(`${answer}Really. `);
      advance(1200);
      expect(announced).to.deep.equal([]);

      await loaded(markdownExtras);
      expect(announced).to.deep.equal([`Ada: ${summary}`]);

      finish(`${answer}Really. End.`);
      expect(announced.slice(1)).to.deep.equal(['Really. End.', 'End of the answer']);
    });

    it('delays a complete message and the announcements after it until the chunk has loaded', async () => {
      const { announcer, announced, advance, grow, finish, loaded } = setupLoading();
      grow(answer);
      advance(1200);
      finish(answer);
      announcer.say('Copied');
      expect(announced).to.deep.equal([]);

      await loaded(markdownExtras);
      expect(announced).to.deep.equal([`Ada: ${summary}`, 'End of the answer', 'Copied']);
    });

    it('announces a message and the announcements after it in order if the chunk fails to load', async () => {
      const { announcer, announced, finish, loaded } = setupLoading();
      finish('A *lamp* costs $5.');
      announcer.say('Copied');

      await loaded(undefined);
      expect(announced).to.deep.equal(['Ada: A lamp costs $5.', 'End of the answer', 'Copied']);
    });

    it('never announces a message if `clear` is called before the chunk has loaded', async () => {
      const { announcer, announced, finish, loaded } = setupLoading();
      finish(answer);
      announcer.clear();

      await loaded(markdownExtras);
      expect(announced).to.deep.equal([]);
    });
  });

  it('announces nothing of the previous conversation after `clear`', () => {
    const { announcer, announced, advance, grow } = setup();
    announcer.start();
    grow('One. ');
    announcer.clear();
    advance(60_000);

    expect(announced).to.deep.equal(['Ada is answering']);
    expect(announcer.announcements).to.deep.equal([]);
  });

  it('announces every word once and in order, however the message is split', () => {
    const wordList = fc.array(fc.constantFrom('one', 'two.', 'three!', 'four\n'), { minLength: 1 });
    fc.assert(
      fc.property(wordList, fc.array(fc.nat(2000)), (words, pauses) => {
        const { announced, advance, grow, finish } = setup();
        let text = '';
        for (const [index, word] of words.entries()) {
          text += `${word} `;
          grow(text);
          advance(pauses[index] ?? 300);
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
