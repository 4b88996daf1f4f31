import type { Task } from '@lit/task';
import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Address } from './address.ts';
import type { Api, Operator } from './api.ts';

/** A page of the console. It renders into the document, so that the style sheet of the document applies. */
export abstract class Page extends LitElement {
  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) operator!: Operator;
  @property({ attribute: false }) address!: Address;

  /** Title of the document. */
  abstract readonly heading: string;

  /** Path of the page to which Escape returns; empty for none. */
  get parentPath(): string {
    const [first = '', second] = this.address.path.split('/');
    return second === undefined ? '' : first;
  }

  override createRenderRoot() {
    return this;
  }
}

/** Tasks that load again what is shown. */
const refreshing = new WeakSet<object>();

/** Runs a task again; until it has ended, `viewOfTask` renders the previous result. */
export async function refresh(task: Task<readonly unknown[], unknown>): Promise<void> {
  refreshing.add(task);
  await task.run();
  refreshing.delete(task);
}

/** Renders the result of a task; a notice while it is pending, and a button to try again if it failed. */
export function viewOfTask<Result>(
  task: Task<readonly unknown[], Result>,
  complete: (result: Result) => TemplateResult,
): unknown {
  return task.render({
    pending: () =>
      refreshing.has(task) && task.value !== undefined
        ? complete(task.value)
        : html`<p class="pending" role="status">Loading…</p>`,
    complete,
    error: (error) => html`
      <div class="failure" role="alert">
        <p>${error instanceof Error ? error.message : String(error)}</p>
        <button @click=${() => task.run()}>Try again</button>
      </div>
    `,
  });
}

/** Scrolls the current link of a navigation into view, without scrolling the page. */
export function revealCurrent(navigation: HTMLElement | null): void {
  const link = navigation?.querySelector<HTMLElement>('[aria-current]');
  if (!navigation || !link) return;
  const start = link.offsetLeft - navigation.offsetLeft;
  navigation.scrollLeft = start - (navigation.clientWidth - link.offsetWidth) / 2;
}
