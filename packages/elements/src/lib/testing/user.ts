import { nextFrame } from './fixture.ts';

/** All matches of a selector, including those in open shadow trees. */
export function deepAll<T extends Element = HTMLElement>(
  root: Element | ShadowRoot,
  selector: string,
): T[] {
  const roots = root instanceof Element && root.shadowRoot ? [root.shadowRoot, root] : [root];
  return roots.flatMap((tree) => [
    ...tree.querySelectorAll<T>(selector),
    ...[...tree.querySelectorAll('*')].flatMap((element) =>
      element.shadowRoot ? deepAll<T>(element.shadowRoot, selector) : [],
    ),
  ]);
}

type Falsy = null | undefined | false;

/**
 * Calls a function in each frame until it returns something truthy.
 *
 * @param what - Description of the expected result, for the error message.
 * @throws {Error} After a minute.
 */
export async function until<T>(
  what: string | (() => string),
  find: () => T | Falsy | Promise<T | Falsy>,
): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const result = await find();
    if (result) return result;
    if (performance.now() > deadline) {
      throw new Error(`Timed out waiting for ${typeof what === 'string' ? what : what()}.`);
    }
    await nextFrame();
  }
}

/** Finishes all animations except endless ones, so that an audit sees their final state. */
export function finishAnimations(root: Element) {
  const animations = [root, ...deepAll(root, '*')].flatMap((element) => element.getAnimations());
  for (const animation of animations) {
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
  }
}

/** Acts on an element as a user does: by accessible names and keys. */
export class User {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** The rendered text of the element, including text for screen readers only, without inert text. */
  get text(): string {
    const textOf = (node: Node): string => {
      if (node instanceof HTMLStyleElement) return '';
      if (
        node instanceof HTMLElement &&
        (node.inert || getComputedStyle(node).display === 'none')
      ) {
        return '';
      }
      if (node instanceof HTMLSlotElement) {
        const assigned = node.assignedNodes();
        return (assigned.length > 0 ? assigned : [...node.childNodes]).map(textOf).join(' ');
      }
      if (node instanceof Element && node.shadowRoot) {
        return [...node.shadowRoot.childNodes].map(textOf).join(' ');
      }
      if (node instanceof Text) return node.data;
      return [...node.childNodes].map(textOf).join(' ');
    };
    return textOf(this.#element).replace(/\s+/g, ' ').trim();
  }

  /** Resolves once the text contains these words. */
  async sees(words: string): Promise<void> {
    await until(
      () => `“${words}” in “${this.text}”`,
      () => this.text.includes(words),
    );
  }

  /** Resolves once the text no longer contains these words. */
  async seesNo(words: string): Promise<void> {
    await until(`“${words}” to disappear`, () => !this.text.includes(words));
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

  /** Presses a key in the text field. */
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

  /** Types and sends a message. */
  async say(text: string) {
    this.type(text);
    await nextFrame();
    this.press('Enter');
    await nextFrame();
  }

  /** Buttons with this accessible name. */
  buttons(name: string): HTMLButtonElement[] {
    return deepAll<HTMLButtonElement>(this.#element, 'button').filter((button) => {
      const label = button.getAttribute('aria-label') ?? button.textContent ?? '';
      return !button.closest('[inert]') && label.replace(/\s+/g, ' ').trim() === name;
    });
  }

  async click(name: string) {
    const button = await until(`a button “${name}”`, () =>
      this.buttons(name).find(({ disabled }) => !disabled),
    );
    button.click();
    await nextFrame();
  }
}
