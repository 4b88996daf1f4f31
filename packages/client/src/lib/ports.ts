/**
 * Clocks and timers. There are two clocks, because each can be wrong: the wall clock after it was
 * changed, and the monotonic clock after the machine slept.
 */
export interface Clock {
  /** The wall clock, in milliseconds since the epoch. It may jump. */
  now(): number;
  /** A monotonic clock, in milliseconds. It may stop while the machine sleeps. */
  mono(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** State and events of the page. */
export interface PageEnvironment {
  /** False only if the browser reports no network. */
  online(): boolean;
  hidden(): boolean;
  /**
   * Reports events after which timers and connections may be outdated: `online`, `offline`, `visible`,
   * `hidden`, `left` (the page may enter the back/forward cache), `restored` (from it) and `focus`.
   * Returns the unsubscribe function.
   */
  watch(listener: (signal: PageSignal) => void): () => void;
}

/** A channel to the other tabs of the site: a `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * Uploads a form and reports the uploaded fraction, from 0 to 1. Resolves with any response; rejects if
 * there is none, and when the signal is aborted.
 */
export type SendForm = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}) => Promise<Response>;

export type PageSignal =
  | 'online'
  | 'offline'
  | 'visible'
  | 'hidden'
  | 'left'
  | 'restored'
  | 'focus';

/** The browser APIs that the client uses, replaceable for tests. */
export interface Ports {
  readonly clock: Clock;
  /** Returns a random number in [0, 1), for jitter only. */
  readonly random: () => number;
  /** Returns a unique string, for idempotency keys. */
  readonly uniqueId: () => string;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Uploads a form.
   *
   * @default `XMLHttpRequest`, loaded with the first upload
   */
  readonly sendForm?: SendForm;
  readonly page: PageEnvironment;
  /**
   * Opens a channel to the other tabs of the site; null if there is none. Neither secrets nor messages
   * are sent over it.
   */
  readonly channel: (name: string, listener: (message: unknown) => void) => Channel | null;
  /** Calls `callback` before the next paint, or soon on a hidden page. Returns the cancel function. */
  readonly frame: (callback: () => void) => () => void;
}

const browserClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

const browserPage: PageEnvironment = {
  online: () => globalThis.navigator?.onLine !== false,
  hidden: () => globalThis.document?.hidden === true,
  watch(listener) {
    // Workers and servers have no page.
    if (typeof document === 'undefined') return () => {};
    const controller = new AbortController();
    const { signal } = controller;
    const forward = (target: EventTarget, type: string, signalOf: (event: Event) => PageSignal) =>
      target.addEventListener(type, (event) => listener(signalOf(event)), { signal });
    for (const type of ['online', 'offline', 'focus'] as const) forward(window, type, () => type);
    forward(window, 'pageshow', (event) =>
      (event as PageTransitionEvent).persisted ? 'restored' : 'focus',
    );
    forward(window, 'pagehide', () => 'left');
    forward(document, 'resume', () => 'focus');
    forward(document, 'visibilitychange', () => (document.hidden ? 'hidden' : 'visible'));
    return () => controller.abort();
  },
};

function browserChannel(name: string, listener: (message: unknown) => void): Channel | null {
  // Node has BroadcastChannel too: on a server, it would connect unrelated users.
  if (typeof document === 'undefined') return null;
  try {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => listener(data);
    return channel;
  } catch {
    // Frames with an opaque origin and old browsers have none.
    return null;
  }
}

/** Maximum wait for a paint in milliseconds, because hidden pages are never painted. */
const maxFrameWait = 250;

function browserFrame(callback: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    if (frame) cancelAnimationFrame(frame);
  };
  const run = () => {
    cancel();
    callback();
  };
  const frame = globalThis.requestAnimationFrame?.(run);
  const timer = setTimeout(run, frame ? maxFrameWait : 0);
  return cancel;
}

// `crypto.randomUUID` is missing on pages without TLS.
export function browserUniqueId(): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(words, (word) => word.toString(36)).join('');
}

/** Returns the ports of the browser, except those that `replaced` contains. */
export function browserPorts(replaced: Partial<Ports> = {}): Ports {
  return {
    clock: browserClock,
    random: Math.random,
    uniqueId: browserUniqueId,
    // Resolved at each call, because other scripts may wrap it later; `fetch` needs the global as `this`.
    fetch: (input, init) => globalThis.fetch(input, init),
    page: browserPage,
    channel: browserChannel,
    frame: browserFrame,
    ...replaced,
  };
}
