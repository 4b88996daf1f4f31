import '../../define-all.ts';
import { loadElement } from '../lazy-elements.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { CardRenderer } from './custom-blocks.ts';

const custom = (name: string, data: object) => ({
  type: 'custom',
  name,
  data,
  text: `The *text* of ${name}`,
});

const seats: CardRenderer = ({ free }, { id }) => {
  const list = document.createElement('p');
  list.className = 'seats';
  list.dataset.id = id;
  list.textContent = `Free: ${String(free)}`;
  return list;
};

const errors: string[] = [];
const { error } = console;

beforeEach(() => {
  console.error = (...words: unknown[]) => void errors.push(words.join(' '));
});

afterEach(() => {
  console.error = error;
  errors.length = 0;
});

/** Shows a card with blocks in a chat or launcher. */
async function setup(
  blocks: readonly object[],
  options: object,
  tag: 'inlay-chat' | 'inlay-launcher' = 'inlay-chat',
) {
  const platform = testPlatform();
  const card = { type: 'agent.card', id: 'evt_card', card: { title: 'A boat', blocks } };
  const sessionId = platform.seed('kim', [events.user('Seats?'), card, events.idle()]);
  const element = document.createElement(tag);
  const access = { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', sessionId };
  Object.assign(element, access, { open: true }, options);
  element.style.height = '600px';
  mount(element);
  const user = new User(element);
  await user.sees('A boat');
  return { element, platform, user };
}

const rectangleOf = (element: Element) => element.getBoundingClientRect();

describe('custom blocks of a card', () => {
  for (const tag of ['inlay-chat', 'inlay-launcher'] as const) {
    it(`are drawn by the renderers of the page, in order, with the page’s styles, in ${tag}`, async () => {
      const style = mount(document.createElement('style'));
      style.textContent = '.seats { border-top: 7px solid }';
      const blocks = [
        custom('seats', { free: [1] }),
        { type: 'text', text: 'Or:' },
        custom('seats', { free: [2, 3] }),
      ];
      const { element } = await setup(blocks, { renderers: { seats } }, tag);
      const drawn = await until('the blocks', () => {
        const found = [...element.querySelectorAll<HTMLElement>(':scope > .seats')];
        return found.length === 2 && rectangleOf(found[0] as HTMLElement).height > 0 && found;
      });
      const card = deepAll(element, 'inlay-card')[0] as HTMLElement;
      const between = await until('the text', () => deepAll(card, 'inlay-markdown')[0]);

      expect(drawn.map(({ textContent }) => textContent)).to.deep.equal(['Free: 1', 'Free: 2,3']);
      expect(new Set(drawn.map(({ dataset }) => dataset.id)).size).to.equal(2);
      const [first, second] = drawn.map(rectangleOf) as [DOMRect, DOMRect];
      const text = rectangleOf(between);
      expect(getComputedStyle(drawn[0] as HTMLElement).borderTopWidth).to.equal('7px');
      expect(first.bottom).to.be.at.most(text.top);
      expect(text.bottom).to.be.at.most(second.top);
      expect(errors).to.deep.equal([]);
    });
  }

  it('show their text if there is no renderer, and name it in the console', async () => {
    const { user, element } = await setup([custom('seats', {}), custom('toString', {})], {
      renderers: {},
    });
    await user.sees('The text of seats');
    await user.sees('The text of toString');

    expect(errors.join('\n')).to.contain('“seats”').and.to.contain('“toString”');
    expect(errors).to.have.length(2);
    expect(element.children).to.have.length(0);
  });

  it('show their text if the renderer throws or returns no element, and name it in the console', async () => {
    const renderers = {
      thrower: () => {
        throw new Error('No boat.');
      },
      markup: () => '<b>boat</b>',
    };
    const { user } = await setup([custom('thrower', {}), custom('markup', {})], { renderers });
    await user.sees('The text of thrower');
    await user.sees('The text of markup');

    expect(errors[0]).to.contain('“thrower”').and.to.contain('No boat.');
    expect(errors[1]).to.contain('“markup”').and.to.contain('HTMLElement');
  });

  it('are drawn when their renderer is set later, and not again when another is set', async () => {
    const { element, user, platform } = await setup([custom('seats', { free: 1 })], {});
    await user.sees('The text of seats');
    Object.assign(element, { renderers: { seats } });
    const drawn = await until('the block', () => element.querySelector('.seats'));
    Object.assign(element, { renderers: { seats: () => document.createElement('i') } });
    await platform.append(events.running(), events.agent('Which one?'), events.idle());
    await user.sees('Which one?');

    expect(element.querySelector('.seats')).to.equal(drawn);
    expect(user.text).to.contain('Free: 1').and.not.to.contain('The text of seats');
  });

  it('are removed with the conversation, with their signal aborted, and drawn again with it', async () => {
    const signals: AbortSignal[] = [];
    const renderers = {
      seats: ((data, context) => {
        signals.push(context.signal);
        return seats(data, context);
      }) satisfies CardRenderer,
    };
    const { element, user } = await setup([custom('seats', { free: 1 })], { renderers });
    await user.sees('Free: 1');
    const chat = element as HTMLElementTagNameMap['inlay-chat'];
    const sessionId = chat.currentSessionId ?? '';
    chat.newConversation();
    await until('the removal', () => element.children.length === 0);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);

    chat.openConversation(sessionId);
    await user.sees('Free: 1');
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
  });

  it('keep their element when the card is moved or answered, and have a copy of the data', async () => {
    await loadElement('inlay-card');
    const blocks = [custom('seats', { free: [1] })];
    const element = document.createElement('inlay-card');
    element.renderers = {
      seats: (data, context) => {
        (data.free as number[]).push(9);
        return seats(data, context);
      },
    };
    element.entry = entries.card('c', blocks);
    mount(element);
    await element.updateComplete;
    const drawn = element.querySelector('.seats');
    mount(element);
    element.entry = { ...entries.card('c', structuredClone(blocks)), progress: 'answered' };
    await element.updateComplete;
    await nextFrame();

    expect(drawn?.textContent).to.equal('Free: 1,9');
    expect(element.querySelector('.seats')).to.equal(drawn);
    expect(blocks[0]?.data).to.deep.equal({ free: [1] });
  });
});
