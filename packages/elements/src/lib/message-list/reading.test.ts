import '../../define-all.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { deepAll, until } from '../testing/user.ts';

/** Mounts a list that is scrolled to its middle. */
async function setup(count = 60) {
  const list = await mountList(questionsAndAnswers(count));
  await until('the end', () => list.atEnd() && list.scroller.scrollTop > 0);
  await list.scrollTo(list.scroller.scrollHeight / 2);
  await list.scrollTo(list.scroller.scrollTop + 600);
  const line = list.line();
  if (!line) throw new Error('There is no line to read.');
  const before = line.top() ?? Number.NaN;
  /** How far the first visible line has moved, in pixels. */
  const moved = () => Math.abs((line.top() ?? Number.NaN) - before);
  return { ...list, moved };
}

describe('the visible part of the message list', () => {
  it('stays when earlier messages are added', async () => {
    const { element, moved, settled } = await setup();

    element.entries = [...questionsAndAnswers(200, 'old'), ...element.entries];
    await settled();

    expect(moved()).to.be.at.most(1);
  });

  it('stays when messages arrive and stream', async () => {
    const { element, moved, settled } = await setup();
    const before = element.entries;

    for (let size = 1; size < 30; size += 7) {
      element.entries = [...before, entries.agent('new', answerText('new', size))];
      await settled();
    }

    expect(moved()).to.be.at.most(1);
  });

  it('stays when rows above it change their height', async () => {
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

  it('stays when an image above it loads, in a message that is partly visible', async () => {
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

  it('stays when the rows below it become shorter than the view', async () => {
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

  it('stays when the list is resized', async () => {
    const { element, moved, settled } = await setup();

    element.style.height = '250px';
    await settled();
    expect(moved()).to.be.at.most(1);

    element.style.width = '380px';
    await settled();
    expect(moved()).to.be.at.most(1);
  });

  it('stays when the list is removed and inserted again', async () => {
    const { element, moved, settled } = await setup();
    const box = document.createElement('div');
    element.before(box);

    box.append(element);
    await settled();

    expect(moved()).to.be.at.most(1);
  });

  it('stays when earlier messages are added to a list that is scrolled to its end', async () => {
    const { element, atEnd, settled } = await mountList(questionsAndAnswers(30));
    await until('the end', atEnd);

    element.entries = [...questionsAndAnswers(200, 'old'), ...element.entries];
    await settled();

    expect(atEnd()).to.equal(true);
  });

  it('stays when a message arrives after the user has scrolled up by 20 px', async () => {
    const { element, scroller, scrollTo, settled, atEnd, rows } = await mountList(
      questionsAndAnswers(30),
    );
    await until('all rows', () => rows().length === element.entries.length);
    await until('the end', atEnd);
    await scrollTo(scroller.scrollTop - 20);
    const { scrollTop } = scroller;

    element.entries = [...element.entries, entries.agent('new', answerText('new', 9))];
    await settled();

    expect(scroller.scrollTop).to.equal(scrollTop);
  });
});
