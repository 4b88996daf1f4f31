import type { InlayChat } from '../chat/chat.ts';
import type { InlayLauncher } from '../launcher/launcher.ts';
import { mount } from './fixture.ts';
import { events, type TestPlatform, testPlatform } from './platform.ts';
import { deepAll, settle, User, until } from './user.ts';

/** An answer with everything in it that brings a style of its own. */
const everything = [
  '## Your order',
  'It is **on its way**, says `track()`, and [the carrier](https://carrier.example).',
  '```js\nconst days = 3;\n```',
  '| what | when |\n| --- | --- |\n| parcel | Friday |',
  '- one\n- two',
  '> Quoted.',
].join('\n\n');

/** A style sheet of the page, until the test ends. */
export function pageStyle(css: string): HTMLStyleElement {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
  undo.push(() => style.remove());
  return style;
}

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

/** Has something undone when the test ends. */
export function afterwards(step: () => void): void {
  undo.push(step);
}

/** A chat with a conversation in it, in a box of 480 × 600 pixels or wherever the page wants it. */
export async function chatIn(
  parent: Node = box(),
  options: Partial<InlayChat> = {},
): Promise<{ chat: InlayChat; user: User; platform: TestPlatform }> {
  const platform = testPlatform();
  const sessionId = platform.seed('kim', [
    events.user('Where is my order?'),
    events.running(),
    events.agent(everything),
    events.idle(),
  ]);
  const chat = document.createElement('inlay-chat');
  Object.assign(
    chat,
    { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', sessionId },
    options,
  );
  parent.appendChild(chat);
  const user = new User(chat);
  await user.sees('the carrier');
  await complete(chat);
  return { chat, user, platform };
}

export function box(): HTMLElement {
  const element = mount(document.createElement('div'));
  element.style.cssText = 'width: 480px; height: 600px';
  return element;
}

export async function launcherIn(
  parent: Node,
  options: Partial<InlayLauncher> = {},
): Promise<{ launcher: InlayLauncher; user: User; platform: TestPlatform }> {
  const platform = testPlatform();
  const launcher = document.createElement('inlay-launcher');
  Object.assign(launcher, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  parent.appendChild(launcher);
  await launcher.updateComplete;
  return { launcher, user: new User(launcher), platform };
}

/** Resolves once everything inside is awake and stands still. */
async function complete(chat: Element) {
  await until('all that is loaded later', () =>
    deepAll(chat, '*').every((each) => each.matches(':defined')),
  );
  await until('the buttons below the answer', () => deepAll(chat, '.actions button')[0]);
  await until('the coloured code', () => {
    const keyword = deepAll(chat, 'pre .keyword')[0];
    // Code is coloured only near the view.
    if (!keyword) deepAll(chat, 'pre')[0]?.scrollIntoView?.({ block: 'nearest' });
    return keyword;
  });
  settle(chat);
}

/** What meets the eye, of one element: by the names of its computed style. */
const looks = [
  ...['display', 'position', 'box-sizing', 'width', 'height', 'margin', 'padding', 'float'],
  ...['border', 'border-radius', 'outline', 'background-color', 'color', 'opacity', 'box-shadow'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'letter-spacing'],
  ...['word-spacing', 'text-transform', 'text-align', 'text-indent', 'text-decoration-line'],
  ...['white-space', 'list-style-type', 'cursor', 'visibility', 'direction', 'vertical-align'],
  ...['quotes', 'tab-size', 'border-collapse', 'caption-side', 'hyphens', 'user-select'],
];

/** How everything inside an element looks: a line for each. */
export function lookOf(element: Element): string[] {
  return deepAll(element, '*')
    .filter((each) => each !== element && !(each instanceof HTMLStyleElement))
    .map((each) => {
      const style = getComputedStyle(each);
      const values = looks.map((name) => `${name}: ${style.getPropertyValue(name)}`);
      return `${each.localName}.${each.getAttribute('class') ?? ''} { ${values.join('; ')} }`;
    });
}

/** Where something is, in whole pixels of the window. */
export function place(element: Element | undefined) {
  const { left, top, right, bottom } = element?.getBoundingClientRect() ?? new DOMRect();
  const round = Math.round;
  return { left: round(left), top: round(top), right: round(right), bottom: round(bottom) };
}
