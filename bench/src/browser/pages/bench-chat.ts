/** Settings of a benchmark page, available before its script runs. */
export interface Setup {
  /** URL of the platform. */
  baseUrl: string;
  token: string;
  /** Id of the session to open; null for a new conversation. */
  session: string | null;
}

/** A chat that is measured: the baseline or the widget. */
export interface BenchChat {
  /** Mounts the chat. Resolves when the user can write (see `waitUntilUsable`). */
  mount(setup: Setup): Promise<void>;
  unmount(): void;
  /** Sends a message. Resolves when the complete answer is on screen. */
  ask(text: string): Promise<void>;
  /** Visible text of the last answer. */
  answer(): string;
}

declare global {
  var benchSetup: Setup;
  var benchChat: BenchChat;
  /** Time (`performance.now()`) at which the chat was usable. Set only if `registerChat` mounts the chat. */
  var usableAt: Promise<number>;
}

/** Number of checks in microtasks before waiting for the next frame. */
const maxMicrotasks = 100;

/**
 * Waits for the text field and checks that it is usable: it can be focused and has a size. Reading
 * the size forces style and layout, so that they are part of the measured time.
 */
export async function waitUntilUsable(find: () => HTMLTextAreaElement | null): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const field = find();
    if (field && !field.disabled && !field.readOnly && field.getBoundingClientRect().height > 0) {
      field.focus();
      const root = field.getRootNode() as Document | ShadowRoot;
      if (root.activeElement === field) return;
    }
    // Checks in microtasks can find the field before the next frame.
    if (attempt < maxMicrotasks) await null;
    else await nextFrame();
  }
}

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

/** Registers the chat of a page, and mounts it immediately if the URL has the parameter `mount`. */
export function registerChat(chat: BenchChat): void {
  globalThis.benchChat = chat;
  if (new URLSearchParams(location.search).has('mount')) {
    globalThis.usableAt = chat.mount(globalThis.benchSetup).then(() => performance.now());
  }
}
