import '../../define-all.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { User, until } from '../testing/user.ts';

/** Mounts a list that is not scrolled to its end. */
async function setup() {
  const list = await mountList(questionsAndAnswers(40));
  list.element.style.height = '300px';
  list.element.style.setProperty('--inlay-duration', '0s');
  await until('the end', list.atEnd);
  await list.settled();
  await list.scrollTo(200);
  const announced: string[] = [];
  list.element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
  const { element, settled } = list;
  const add = async (key: string) => {
    element.entries = [...element.entries, entries.agent(key, answerText(key, 24))];
    await settled();
  };
  return { ...list, user: new User(element), announced, add };
}

describe('new messages below the view', () => {
  it('are counted on a button that scrolls to the first new message, and after a second click to the end', async () => {
    const { add, user, scroller, row, atEnd, settled } = await setup();
    await add('one');
    await add('two');

    await user.click('2 new messages');
    const top = () => row('one')?.getBoundingClientRect().top ?? Number.NaN;
    await until('the first that is new', () => {
      return Math.abs(top() - scroller.getBoundingClientRect().top) < 1;
    });
    await settled();
    await user.click('Jump to the latest message');

    await until('the end', atEnd);
  });

  it('are announced once', async () => {
    const { add, announced } = await setup();

    await add('one');
    await add('two');

    expect(announced).to.deep.equal(['New message']);
  });

  it('do not include earlier messages that are loaded above', async () => {
    const { element, settled, user, announced } = await setup();

    element.entries = [...questionsAndAnswers(20, 'old'), ...element.entries];
    await settled();

    expect(announced).to.deep.equal([]);
    expect(user.buttons('Jump to the latest message')).to.have.length(1);
  });

  it('are marked by a separator until the user sends a message', async () => {
    const { add, element, settled, user, row } = await setup();
    await add('one');
    await user.click('New message');
    await until('the line', () => row('one')?.textContent?.includes('New'));

    element.entries = [...element.entries, entries.user('own', 'Thanks', { delivery: 'sending' })];
    await settled();

    expect(row('one')?.textContent).not.to.include('New');
  });

  it('are marked by the same separator after a page load, unless nothing is stored', async () => {
    const { add, element } = await setup();
    element.draftStorage = 'session';
    await add('one');
    await add('two');
    element.remove();

    const load = async (draftStorage: 'session' | 'memory') => {
      const next = await mountList(element.entries, { draftStorage });
      return next.rows().filter((each) => each.textContent?.includes('New'));
    };
    expect(await load('session')).to.have.length(1);
    expect((await load('session'))[0]?.dataset.key).to.equal('one');
    expect(await load('memory')).to.have.length(0);
  });
});
