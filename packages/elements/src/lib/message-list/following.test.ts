import '../../define-all.ts';
import type { Entry } from '@inlay/client';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { until } from '../testing/user.ts';

type Follow = HTMLElementTagNameMap['inlay-message-list']['follow'];

const own = entries.user('own', 'What now?', { delivery: 'sending', id: null });
const growing = (size: number) => entries.agent('live', answerText('live', size));

/** A list at its end, in a mode, with motion or without. */
async function setup(follow: Follow, { list = questionsAndAnswers(30), motion = false } = {}) {
  const all = await mountList(list, { follow });
  all.element.style.setProperty('--inlay-duration', motion ? '900ms' : '0s');
  await until('the end', all.atEnd);
  await all.settled();
  const { element, scroller, row } = all;
  return {
    ...all,
    async add(...more: Entry[]) {
      const known = new Map(element.entries.map((entry) => [entry.key, entry]));
      for (const entry of more) known.set(entry.key, entry);
      element.entries = [...known.values()];
      await all.settled();
    },
    /** How far a row is below the top of the view, in pixels. */
    topOf(key: string) {
      const top = row(key)?.getBoundingClientRect().top ?? Number.NaN;
      return Math.round(top - scroller.getBoundingClientRect().top);
    },
  };
}

describe('what the view follows', () => {
  it('is the end, in mode bottom: what the person sends, and the answer to it', async () => {
    const { add, atEnd, scrollTo } = await setup('bottom');
    await scrollTo(200);

    await add(own);
    expect(atEnd()).to.equal(true);

    await add(growing(9));
    expect(atEnd()).to.equal(true);
  });

  it('is the end still where something goes and more comes in one moment', async () => {
    const { element, scroller, settled, atEnd } = await setup('bottom');
    const last = element.shadowRoot?.querySelector<HTMLElement>('.row.last');
    last?.style.setProperty('display', 'none');
    // Whatever is read here makes the browser scroll up to the new end.
    expect(scroller.scrollTop).to.be.above(0);

    last?.style.setProperty('display', 'block');
    last?.style.setProperty('padding-block-end', '300px');
    await settled();

    await until('the end', atEnd);
  });

  it('is the question, in mode question-top: it goes to the top and stays there', async () => {
    const { add, topOf, scroller } = await setup('question-top');

    await add(own);
    await until('the question at the top', () => Math.abs(topOf('own')) <= 1);
    const height = scroller.scrollHeight;

    await add(growing(1));
    expect(topOf('own')).to.be.within(-1, 1);
    const jumped = Math.abs(scroller.scrollHeight - height);
    expect(jumped, 'the room shrinks by what the answer takes').to.be.at.most(1);
    await add(growing(24));
    expect(topOf('own')).to.be.within(-1, 1);
    expect(scroller.scrollHeight).to.be.greaterThan(height);
  });

  it('is the question also for a reader who was far away, and for a first one', async () => {
    const far = await setup('question-top', { list: questionsAndAnswers(300) });
    await far.scrollTo(500);
    await far.add(own);
    await until('the question at the top', () => Math.abs(far.topOf('own')) <= 1);
    far.element.remove();

    const first = await setup('question-top', { list: [] });
    await first.add(own);
    await first.add(growing(24));
    expect(first.scroller.scrollTop).to.equal(0);
  });

  it('is nothing, in mode off, but what the person sends comes into view', async () => {
    const { add, topOf, scroller, scrollTo } = await setup('off');
    await add(entries.agent('other', answerText('other', 9)));
    expect(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight).to.be.above(100);

    await scrollTo(300);
    await add(own);
    await until('the question in view', () => topOf('own') > 0 && topOf('own') < 400);
    const { scrollTop } = scroller;

    await add(growing(24));
    expect(scroller.scrollTop).to.equal(scrollTop);
  });

  it('is reached at once where motion is not wanted, and by and by where it is', async () => {
    /** How many places a person sees the view at on its way, the first and the last with them. */
    const places = async (motion: boolean) => {
      const { element, scroller, topOf } = await setup('question-top', { motion });
      const seen = new Set<number>();
      element.entries = [...element.entries, own];
      await until('the question at the top', () => {
        seen.add(scroller.scrollTop);
        return Math.abs(topOf('own')) <= 1;
      });
      element.remove();
      return seen.size;
    };

    expect(await places(false)).to.equal(2);
    expect(await places(true)).to.be.greaterThan(2);
  });

  it('is the end again once a reader has come back to it', async () => {
    const { add, atEnd, scrollTo, scroller } = await setup('bottom');
    await scrollTo(scroller.scrollTop - 300);
    await add(entries.agent('one', answerText('one', 9)));
    expect(atEnd()).to.equal(false);

    await scrollTo(scroller.scrollHeight);
    await add(entries.agent('two', answerText('two', 9)));

    expect(atEnd()).to.equal(true);
  });

  it('begins at the end of another conversation', async () => {
    const { element, atEnd, scrollTo, settled } = await setup('bottom');
    await scrollTo(100);

    element.entries = questionsAndAnswers(40, 'other');
    await settled();

    expect(atEnd()).to.equal(true);
  });
});
