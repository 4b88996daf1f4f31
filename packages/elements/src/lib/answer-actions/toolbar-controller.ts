import type { LitElement, ReactiveController } from 'lit';

/**
 * Makes the buttons of a row one tab stop. The arrow keys, Home and End move between them. Slotted
 * buttons of the page remain separate tab stops.
 */
export class ToolbarController implements ReactiveController {
  readonly #host: LitElement;
  #current: HTMLElement | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('keydown', (event) => this.#handleKeydown(event));
    host.addEventListener('focusin', (event) => this.#moveTo(event.composedPath()[0]));
  }

  hostUpdated() {
    this.#moveTo(this.#current);
  }

  get #buttons(): HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('.actions button:enabled')];
  }

  #moveTo(target: EventTarget | undefined) {
    const buttons = this.#buttons;
    const current = buttons.find((button) => button === target) ?? buttons[0];
    this.#current = current;
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
  }

  #handleKeydown(event: KeyboardEvent) {
    const buttons = this.#buttons;
    const index = buttons.indexOf(event.composedPath()[0] as HTMLElement);
    if (index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const forward = this.#host.matches(':dir(rtl)') ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowRight: index + forward,
      ArrowLeft: index - forward,
      Home: 0,
      End: buttons.length - 1,
    };
    const button = buttons[steps[event.key] ?? -1];
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.focus();
    this.#moveTo(button);
  }
}
