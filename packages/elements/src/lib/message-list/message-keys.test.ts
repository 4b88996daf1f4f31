import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { until } from '../testing/user.ts';

const page = (key: 'PageUp' | 'PageDown') => ({ key, altKey: true });

async function setup(list = questionsAndAnswers(40)) {
  const mounted = await mountList(list, { agentName: 'Ada' });
  mounted.element.style.setProperty('--inlay-duration', '0s');
  await mounted.settled();
  const { element, scroller } = mounted;
  const focused = () => element.shadowRoot?.activeElement as HTMLElement | null;
  const key = () => focused()?.dataset.key ?? null;
  return {
    ...mounted,
    focused,
    async press(init: KeyboardEventInit, expectedKey: string) {
      const event = new KeyboardEvent('keydown', { bubbles: true, composed: true, ...init });
      (focused() ?? scroller).dispatchEvent(event);
      await until(
        () => `the focus on ${expectedKey}, not on ${key()}`,
        () => key() === expectedKey,
      );
      await mounted.settled();
    },
  };
}

describe('keyboard navigation between messages', () => {
  it('moves focus from the end to earlier messages and back', async () => {
    const { press, focused, scroller } = await setup();

    await press(page('PageUp'), 'm39');
    await press(page('PageUp'), 'm38');
    await press(page('PageDown'), 'm39');
    for (let index = 38; index > 30; index -= 1) await press(page('PageUp'), `m${index}`);

    const top =
      (focused()?.getBoundingClientRect().top ?? 0) - scroller.getBoundingClientRect().top;
    expect(top, 'the top of the focused row').to.be.within(-1, 400);
  });

  it('skips rows that are not messages', async () => {
    const { press } = await setup([
      entries.user('q', 'Question'),
      entries.thinking('t'),
      entries.tool('x'),
      entries.agent('a', 'Answer'),
    ]);

    await press(page('PageUp'), 'a');
    await press(page('PageUp'), 'q');
  });

  it('moves focus to the first and the last message, even if the message is not rendered', async () => {
    const { press, row } = await setup(questionsAndAnswers(400));
    await press(page('PageUp'), 'm399');
    expect(row('m0')).to.equal(undefined);

    await press({ key: 'Home' }, 'm0');
    await press({ key: 'End' }, 'm399');
  });

  it('returns focus to the composer with Escape', async () => {
    const { press, element, focused } = await setup();
    await press(page('PageUp'), 'm39');
    let requested = 0;
    element.addEventListener('inlay-focus-composer', () => {
      requested += 1;
    });

    focused()?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
    );

    expect(requested).to.equal(1);
  });

  it('exposes the shortcuts, the author, the time and the position of a message', async () => {
    const { press, element, scroller, focused } = await setup(questionsAndAnswers(400));
    await press(page('PageUp'), 'm399');

    expect(scroller.getAttribute('aria-keyshortcuts')).to.equal('Alt+PageUp Alt+PageDown');
    expect(focused()?.getAttribute('aria-label')).to.match(/^Ada, .*\d/);
    expect(focused()?.getAttribute('role')).to.equal('article');
    expect(focused()?.getAttribute('aria-posinset')).to.equal('400');
    expect(focused()?.getAttribute('aria-setsize')).to.equal('400');
    await expectAccessible(element);
  });

  it('exposes the number of messages as unknown if more can be loaded', async () => {
    const { element, rows } = await setup(questionsAndAnswers(4));
    element.hasEarlier = true;
    await element.updateComplete;

    expect(rows()[0]?.getAttribute('aria-setsize')).to.equal('-1');
  });
});
