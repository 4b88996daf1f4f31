import { nextFrame } from './fixture.ts';

/** Everything that matches, also inside open shadow trees. */
export function deepAll<T extends Element = HTMLElement>(
  root: Element | ShadowRoot,
  selector: string,
): T[] {
  const here = root instanceof Element && root.shadowRoot ? [root.shadowRoot, root] : [root];
  return here.flatMap((tree) => [
    ...tree.querySelectorAll<T>(selector),
    ...[...tree.querySelectorAll('*')].flatMap((element) =>
      element.shadowRoot ? deepAll<T>(element.shadowRoot, selector) : [],
    ),
  ]);
}

type Falsy = null | undefined | false;

/** Waits, frame by frame, until there is something; says what was waited for if it never comes. */
export async function until<T>(
  what: string | (() => string),
  look: () => T | Falsy | Promise<T | Falsy>,
): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) {
      throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
    }
    await nextFrame();
  }
}

/** Lets everything that moves arrive, so that an audit sees what a user sees a moment later. */
export function settle(root: Element) {
  const animations = deepAll(root, '*').flatMap((element) => element.getAnimations());
  for (const animation of animations) {
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
  }
}

/** Acts on an element as a user would: by names, roles and keys. */
export class User {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Every word that can be read, and heard, in the element. */
  get text(): string {
    const seen = (node: Node): string => {
      if (node instanceof HTMLStyleElement) return '';
      if (node instanceof HTMLElement && getComputedStyle(node).display === 'none') return '';
      if (node instanceof HTMLSlotElement) {
        const assigned = node.assignedNodes();
        return (assigned.length > 0 ? assigned : [...node.childNodes]).map(seen).join(' ');
      }
      if (node instanceof Element && node.shadowRoot) {
        return [...node.shadowRoot.childNodes].map(seen).join(' ');
      }
      if (node instanceof Text) return node.data;
      return [...node.childNodes].map(seen).join(' ');
    };
    return seen(this.#element).replace(/\s+/g, ' ').trim();
  }

  /** Resolves once the words can be read. */
  async sees(words: string): Promise<void> {
    await until(
      () => `“${words}” in “${this.text}”`,
      () => this.text.includes(words),
    );
  }

  /** Resolves once the words can't be read any more. */
  async seesNo(words: string): Promise<void> {
    await until(`the end of “${words}”`, () => !this.text.includes(words));
  }

  get field(): HTMLTextAreaElement {
    const [field] = deepAll<HTMLTextAreaElement>(this.#element, 'textarea');
    if (!field) throw new Error('There is no text field.');
    return field;
  }

  type(text: string) {
    const { field } = this;
    field.focus();
    if (field.readOnly) return;
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  /** Presses a key where the focus is meant to be: in the text field. */
  press(key: string, options: KeyboardEventInit = {}): KeyboardEvent {
    const event = new KeyboardEvent('keydown', {
      key,
      bubbles: true,
      composed: true,
      cancelable: true,
      ...options,
    });
    this.field.dispatchEvent(event);
    return event;
  }

  /** Types, and sends once what is typed can be sent. */
  async say(text: string) {
    this.type(text);
    await nextFrame();
    this.press('Enter');
    await nextFrame();
  }

  /** Buttons with this name, by label or by text. */
  buttons(name: string): HTMLButtonElement[] {
    return deepAll<HTMLButtonElement>(this.#element, 'button').filter((button) => {
      const label = button.getAttribute('aria-label') ?? button.textContent ?? '';
      return label.replace(/\s+/g, ' ').trim() === name;
    });
  }

  async click(name: string) {
    const button = await until(`a button “${name}”`, () =>
      this.buttons(name).find((one) => !one.disabled),
    );
    button.click();
    await nextFrame();
  }
}
