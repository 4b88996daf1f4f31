import '../../define-all.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { deepAll, until } from '../testing/user.ts';

/** A list whose reader has gone up to the middle of it. */
async function setup(count = 60) {
  const list = await mountList(questionsAndAnswers(count));
  await until('the end', () => list.atEnd() && list.scroller.scrollTop > 0);
  await list.scrollTo(list.scroller.scrollHeight / 2);
  await list.scrollTo(list.scroller.scrollTop + 600);
  const line = list.line();
  if (!line) throw new Error('There is no line to read.');
  const before = line.top() ?? Number.NaN;
  /** By how much the line under the reader's eye has moved, in pixels. */
  const moved = () => Math.abs((line.top() ?? Number.NaN) - before);
  return { ...list, moved };
}

describe('the line that is read', () => {
  it('stays when older messages are put in front', async () => {
    const { element, moved, settled } = await setup();

    element.entries = [...questionsAndAnswers(200, 'old'), ...element.entries];
    await settled();

    expect(moved()).to.be.at.most(1);
  });

  it('stays when answers arrive and grow', async () => {
    const { element, moved, settled } = await setup();
    const before = element.entries;

    for (let size = 1; size < 30; size += 7) {
      element.entries = [...before, entries.agent('new', answerText('new', size))];
      await settled();
    }

    expect(moved()).to.be.at.most(1);
  });

  it('stays when what is above becomes taller or folds, whenever that is', async () => {
    const { rows, scroller, moved, settled } = await setup();
    const above = rows()[0];
    const { top } = scroller.getBoundingClientRect();
    expect(above?.getBoundingClientRect().bottom).to.be.lessThan(top);

    above?.style.setProperty('padding-bottom', '300px');
    await settled();
    expect(moved()).to.be.at.most(1);

    above?.style.setProperty('display', 'none');
    await settled();
    expect(moved()).to.be.at.most(1);
  });

  it('stays when a picture within its own message loads above it', async () => {
    const { element, scroller, moved, settled, rows } = await setup();
    const edge = scroller.getBoundingClientRect().top;
    const read = rows().find((row) => row.getBoundingClientRect().bottom > edge + 4);
    const content = deepAll(read ?? element, '[part=content], [part=bubble]')[0];
    const picture = document.createElement('canvas');
    picture.height = 0;
    picture.style.display = 'block';
    content?.prepend(picture);
    await settled();

    picture.height = 220;
    await settled();

    expect(moved()).to.be.at.most(1);
  });

  it('stays when what is below becomes so short that the view would slip', async () => {
    const last = entries.agent('last', answerText('last', 2));
    const { element, settled, scrollTo, scroller, line } = await mountList([
      ...questionsAndAnswers(40),
      last,
    ]);
    await settled();
    await scrollTo(scroller.scrollHeight - scroller.clientHeight - 60);
    const read = line();
    const before = read?.top() ?? Number.NaN;

    element.entries = [...element.entries.slice(0, -1), { ...last, text: 'Short.' }];
    await settled();

    expect(Math.abs((read?.top() ?? Number.NaN) - before)).to.be.at.most(1);
  });

  it('stays when the view becomes lower, and in its line when it becomes narrower', async () => {
    const { element, moved, settled } = await setup();

    element.style.height = '250px';
    await settled();
    expect(moved()).to.be.at.most(1);

    element.style.width = '380px';
    await settled();
    expect(moved()).to.be.at.most(1);
  });

  it('stays while the list is taken out of the page and put into it again', async () => {
    const { element, moved, settled } = await setup();
    const box = document.createElement('div');
    element.before(box);

    box.append(element);
    await settled();

    expect(moved()).to.be.at.most(1);
  });

  it('follows the end also when older messages are put in front', async () => {
    const { element, atEnd, settled } = await mountList(questionsAndAnswers(30));
    await until('the end', atEnd);

    element.entries = [...questionsAndAnswers(200, 'old'), ...element.entries];
    await settled();

    expect(atEnd()).to.equal(true);
  });

  it('leaves a reader alone who has gone up by one line only', async () => {
    const { element, scroller, scrollTo, settled, atEnd } = await mountList(
      questionsAndAnswers(30),
    );
    await until('the end', () => atEnd() && scroller.scrollTop > 0);
    await scrollTo(scroller.scrollTop - 20);
    const { scrollTop } = scroller;

    element.entries = [...element.entries, entries.agent('new', answerText('new', 9))];
    await settled();

    expect(scroller.scrollTop).to.equal(scrollTop);
  });
});
