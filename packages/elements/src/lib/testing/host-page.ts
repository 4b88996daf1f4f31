import type { InlayChat } from '../chat/chat.ts';
import type { InlayLauncher } from '../launcher/launcher.ts';
import { mount } from './fixture.ts';
import { events, type TestPlatform, testPlatform } from './platform.ts';
import { deepAll, finishAnimations, User, until } from './user.ts';

/** An answer with all kinds of Markdown that have their own styles. */
const richAnswer = [
  '## Your order',
  'It is **on its way**, says `track()`, and [the carrier](https://carrier.example).',
  '```js\nconst days = 3;\n```',
  '| what | when |\n| --- | --- |\n| parcel | Friday |',
  '- one\n- two',
  '> Quoted.',
].join('\n\n');

/** Adds a style sheet to the page until the test ends. */
export function addPageStyle(css: string): HTMLStyleElement {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
  cleanups.push(() => style.remove());
  return style;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Calls a function when the test ends. */
export function onTestEnd(cleanup: () => void): void {
  cleanups.push(cleanup);
}

/** Adds a chat with a short conversation to the page, by default in a box of 480 × 600 px. */
export async function mountChat(
  parent: Node = mountBox(),
  options: Partial<InlayChat> = {},
): Promise<{ chat: InlayChat; user: User; platform: TestPlatform }> {
  const platform = testPlatform();
  const sessionId = platform.seed('kim', [
    events.user('Where is my order?'),
    events.running(),
    events.agent(richAnswer),
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
  await fullyRendered(chat);
  return { chat, user, platform };
}

/** Adds a box of 480 × 600 px to the page. */
export function mountBox(): HTMLElement {
  const element = mount(document.createElement('div'));
  element.style.cssText = 'width: 480px; height: 600px';
  return element;
}

/** Adds a closed launcher to the page. */
export async function mountLauncher(
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

/** Resolves once all lazy-loaded parts of a chat are rendered and its animations are finished. */
async function fullyRendered(chat: Element) {
  await until('the lazy-loaded elements', () =>
    deepAll(chat, '*').every((each) => each.matches(':defined')),
  );
  await until('the buttons below the answer', () => deepAll(chat, '.actions button')[0]);
  await until('the highlighted code', () => {
    const keyword = deepAll(chat, 'pre .keyword')[0];
    // Code is highlighted only near the viewport.
    if (!keyword) deepAll(chat, 'pre')[0]?.scrollIntoView?.({ block: 'nearest' });
    return keyword;
  });
  finishAnimations(chat);
}

/** CSS properties that are visible to the user. */
const visualProperties = [
  ...['display', 'position', 'box-sizing', 'width', 'height', 'margin', 'padding', 'float'],
  ...['border', 'border-radius', 'outline', 'background-color', 'color', 'opacity', 'box-shadow'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'letter-spacing'],
  ...['word-spacing', 'text-transform', 'text-align', 'text-indent', 'text-decoration-line'],
  ...['white-space', 'list-style-type', 'cursor', 'visibility', 'direction', 'vertical-align'],
  ...['quotes', 'tab-size', 'border-collapse', 'caption-side', 'hyphens', 'user-select'],
];

/** The computed styles of all descendants of an element, one line each. */
export function computedStyles(element: Element): string[] {
  return deepAll(element, '*')
    .filter((each) => each !== element && !(each instanceof HTMLStyleElement))
    .map((each) => {
      const style = getComputedStyle(each);
      const values = visualProperties.map((name) => `${name}: ${style.getPropertyValue(name)}`);
      return `${each.localName}.${each.getAttribute('class') ?? ''} { ${values.join('; ')} }`;
    });
}

/** The bounding box of an element in the viewport, in whole pixels. */
export function boundsOf(element: Element | undefined) {
  const { left, top, right, bottom } = element?.getBoundingClientRect() ?? new DOMRect();
  const round = Math.round;
  return { left: round(left), top: round(top), right: round(right), bottom: round(bottom) };
}
