import '../../define-all.ts';
import type { Entry } from '@inlay/client';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { until } from '../testing/user.ts';

type Follow = HTMLElementTagNameMap['inlay-message-list']['follow'];

const ownMessage = entries.user('own', 'What now?', { delivery: 'sending', id: null });
const answerOfSize = (size: number) => entries.agent('live', answerText('live', size));

/** Mounts a list that is scrolled to its end, with or without scroll animation. */
async function setup(follow: Follow, { list = questionsAndAnswers(30), motion = false } = {}) {
  const mounted = await mountList(list, { follow });
  mounted.element.style.setProperty('--inlay-duration', motion ? '900ms' : '0s');
  await until('the end', mounted.atEnd);
  await mounted.settled();
  const { element, scroller, row } = mounted;
  return {
    ...mounted,
    async add(...added: Entry[]) {
      const known = new Map(element.entries.map((entry) => [entry.key, entry]));
      for (const entry of added) known.set(entry.key, entry);
      element.entries = [...known.values()];
      await mounted.settled();
    },
    /** Distance of a row from the top of the view, in pixels. */
    topOf(key: string) {
      const top = row(key)?.getBoundingClientRect().top ?? Number.NaN;
      return Math.round(top - scroller.getBoundingClientRect().top);
    },
  };
}

/** Space above a question at the top, in CSS pixels. */
const gap = 16;

describe('automatic scrolling', () => {
  it('keeps the end in view with follow="bottom"', async () => {
    const { add, atEnd, scrollTo } = await setup('bottom');
    await scrollTo(200);

    await add(ownMessage);
    expect(atEnd()).to.equal(true);

    await add(answerOfSize(9));
    expect(atEnd()).to.equal(true);
  });

  it('keeps the end in view if the last row is hidden and shown in one update', async () => {
    const { element, scroller, settled, atEnd } = await setup('bottom');
    const last = element.shadowRoot?.querySelector<HTMLElement>('.row.last');
    last?.style.setProperty('display', 'none');
    // Forces layout, so that the browser scrolls up to the new end.
    expect(scroller.scrollTop).to.be.above(0);

    last?.style.setProperty('display', 'block');
    last?.style.setProperty('padding-block-end', '300px');
    await settled();

    await until('the end', atEnd);
  });

  it('scrolls the question to 16 px below the top and keeps it there with follow="question-top"', async () => {
    const { add, topOf, scroller } = await setup('question-top');

    await add(ownMessage);
    await until('the question at the top', () => Math.abs(topOf('own') - gap) <= 1);
    const height = scroller.scrollHeight;

    await add(answerOfSize(1));
    expect(topOf('own')).to.be.within(gap - 1, gap + 1);
    const heightChange = Math.abs(scroller.scrollHeight - height);
    expect(heightChange, 'the spacer shrinks by the height of the answer').to.be.at.most(1);
    await add(answerOfSize(24));
    expect(topOf('own')).to.be.within(gap - 1, gap + 1);
    expect(scroller.scrollHeight).to.be.greaterThan(height);
  });

  it('scrolls to the question from far away, but not to the first question of a conversation', async () => {
    const fromFarAway = await setup('question-top', { list: questionsAndAnswers(300) });
    await fromFarAway.scrollTo(500);
    await fromFarAway.add(ownMessage);
    await until('the question at the top', () => Math.abs(fromFarAway.topOf('own') - gap) <= 1);
    fromFarAway.element.remove();

    const first = await setup('question-top', { list: [] });
    await first.add(ownMessage);
    await first.add(answerOfSize(24));
    expect(first.scroller.scrollTop).to.equal(0);
  });

  it('scrolls only to the user’s own message with follow="off"', async () => {
    const { add, topOf, scroller, scrollTo } = await setup('off');
    await add(entries.agent('other', answerText('other', 9)));
    expect(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight).to.be.above(100);

    await scrollTo(300);
    await add(ownMessage);
    await until('the question in view', () => topOf('own') > 0 && topOf('own') < 400);
    const { scrollTop } = scroller;

    await add(answerOfSize(24));
    expect(scroller.scrollTop).to.equal(scrollTop);
  });

  it('is animated unless --inlay-duration is 0s', async () => {
    /** Number of different scroll positions in the frames of a movement. */
    const positionsDuringScroll = async (motion: boolean) => {
      const { element, scroller, topOf } = await setup('question-top', { motion });
      const positions = new Set<number>();
      element.entries = [...element.entries, ownMessage];
      await until('the question at the top', () => {
        positions.add(scroller.scrollTop);
        return Math.abs(topOf('own') - gap) <= 1;
      });
      element.remove();
      return positions.size;
    };

    // At most the first position, the end of the list (if a frame is painted before the spacer has
    // grown) and the last position.
    expect(await positionsDuringScroll(false)).to.be.at.most(3);
    expect(await positionsDuringScroll(true)).to.be.greaterThan(3);
  });

  it('resumes when the user scrolls back to the end', async () => {
    const { add, atEnd, scrollTo, scroller } = await setup('bottom');
    await scrollTo(scroller.scrollTop - 300);
    await add(entries.agent('one', answerText('one', 9)));
    expect(atEnd()).to.equal(false);

    await scrollTo(scroller.scrollHeight);
    await add(entries.agent('two', answerText('two', 9)));

    expect(atEnd()).to.equal(true);
  });

  it('starts at the end of another conversation', async () => {
    const { element, atEnd, scrollTo, settled } = await setup('bottom');
    await scrollTo(100);

    element.entries = questionsAndAnswers(40, 'other');
    await settled();

    expect(atEnd()).to.equal(true);
  });
});
