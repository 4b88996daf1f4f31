/** Time, as the client needs it. Two clocks, because neither alone survives sleep and corrections. */
export interface Clock {
  /** The wall clock, in milliseconds since the epoch. It may jump. */
  now(): number;
  /** A clock that never goes back, in milliseconds. It may stand still while the machine sleeps. */
  mono(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** What the page tells about itself. */
export interface PageEnvironment {
  /** False only when the browser is sure that there is no network. */
  online(): boolean;
  hidden(): boolean;
  /**
   * Calls back on everything after which timers and connections may be stale: `online`, `offline`,
   * `visible`, `hidden`, `left` (it may be kept in the back/forward cache), `restored` (from it) and
   * `focus`. Returns the undo.
   */
  watch(listener: (signal: PageSignal) => void): () => void;
}

/** A way to the other tabs of the site: a `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * Sends a form and tells how much of it has left, from 0 to 1. Resolves with whatever is answered;
 * rejects where nothing is, and when the signal is aborted.
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

/** Everything outside that the client touches. A browser page's by default. */
export interface Ports {
  readonly clock: Clock;
  /** From 0 up to, not including, 1. For jitter; never for secrets. */
  readonly random: () => number;
  /** A name that no other call gives, for idempotency keys. */
  readonly uniqueId: () => string;
  readonly fetch: typeof globalThis.fetch;
  /** Uploads a form. Default: `XMLHttpRequest`, loaded with the first upload. */
  readonly sendForm?: SendForm;
  readonly page: PageEnvironment;
  /**
   * Opens a way to the other tabs of the site, and calls back with what they say; null where there
   * is none. Nothing that is secret or that a person said goes over it.
   */
  readonly channel: (name: string, listener: (message: unknown) => void) => Channel | null;
  /** Runs something before the next paint, or soon where nothing is painted. Returns the undo. */
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
    // A worker or a server has no page that could change.
    if (typeof document === 'undefined') return () => {};
    const controller = new AbortController();
    const { signal } = controller;
    const on = (target: EventTarget, type: string, told: (event: Event) => PageSignal) =>
      target.addEventListener(type, (event) => listener(told(event)), { signal });
    for (const type of ['online', 'offline', 'focus'] as const) on(window, type, () => type);
    on(window, 'pageshow', (event) =>
      (event as PageTransitionEvent).persisted ? 'restored' : 'focus',
    );
    on(window, 'pagehide', () => 'left');
    on(document, 'resume', () => 'focus');
    on(document, 'visibilitychange', () => (document.hidden ? 'hidden' : 'visible'));
    return () => controller.abort();
  },
};

function browserChannel(name: string, listener: (message: unknown) => void): Channel | null {
  // A server that renders pages has channels too, and they would tie its visitors to each other.
  if (typeof document === 'undefined') return null;
  try {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => listener(data);
    return channel;
  } catch {
    // A frame without an origin of its own may have none, and so may an old browser.
    return null;
  }
}

/** Longest wait for a paint. A hidden page paints never, and still has to learn what happened. */
const longestFrame = 250;

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
  const timer = setTimeout(run, frame ? longestFrame : 0);
  return cancel;
}

// Not `randomUUID`, which pages on plain http do not have.
function browserUniqueId(): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(words, (word) => word.toString(36)).join('');
}

/** The ports of a browser page, with those that the caller replaces. */
export function browserPorts(replaced: Partial<Ports> = {}): Ports {
  return {
    clock: browserClock,
    random: Math.random,
    uniqueId: browserUniqueId,
    // Looked up at each call, and called on the global object, which `fetch` insists on.
    fetch: (input, init) => globalThis.fetch(input, init),
    page: browserPage,
    channel: browserChannel,
    frame: browserFrame,
    ...replaced,
  };
}
