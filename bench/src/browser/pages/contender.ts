/** What a page of the bench is told before its script runs. */
export interface Setup {
  /** The address of the platform. */
  baseUrl: string;
  token: string;
  /** A conversation to open; a new one otherwise. */
  session: string | null;
}

/** A chat that is measured. The same figures drive each of them. */
export interface Contender {
  /** Puts the chat into the page. Resolves when a person can write: see `usable`. */
  mount(setup: Setup): Promise<void>;
  unmount(): void;
  /** Says something. Resolves when the answer is complete and on screen. */
  ask(text: string): Promise<void>;
  /** What the last answer shows. */
  answer(): string;
}

declare global {
  var benchSetup: Setup;
  var contender: Contender;
  /** When the chat was usable, by `performance.now()`: only on a page that mounts by itself. */
  var usableAt: Promise<number>;
}

/** How often a field is looked for within one task. */
const microtasks = 100;

/**
 * Waits for the field that a person writes in, and proves that it can be used: it takes the focus
 * and has its place on the page, so that style and layout are paid for before the clock is stopped.
 */
export async function usable(find: () => HTMLTextAreaElement | null): Promise<void> {
  for (let look = 0; ; look += 1) {
    const field = find();
    if (field && !field.disabled && !field.readOnly && field.getBoundingClientRect().height > 0) {
      field.focus();
      const root = field.getRootNode() as Document | ShadowRoot;
      if (root.activeElement === field) return;
    }
    // What is drawn in microtasks is found before a frame would find it.
    if (look < microtasks) await null;
    else await nextFrame();
  }
}

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

/** Gives a page's chat to the bench, and mounts it at once where the address asks for that. */
export function present(contender: Contender): void {
  globalThis.contender = contender;
  if (new URLSearchParams(location.search).has('mount')) {
    globalThis.usableAt = contender.mount(globalThis.benchSetup).then(() => performance.now());
  }
}
