/** Viewport of all tests, in CSS pixels. */
const viewport = { width: 800, height: 600 };

/**
 * A Web Test Runner launcher with a new page and a new profile for each test file. Concurrent pages
 * are on separate screens, because only one window per screen has the focus.
 */
export class PageLauncher {
  /** Tells Web Test Runner that `getPage` returns an object with Puppeteer's methods. */
  type = 'puppeteer';
  /** Two pages at a time, because a page is idle half of the time and takes long to open. */
  concurrency = 2;
  #start;
  #screens = [];
  #idle = [];
  #open = new Map();

  /**
   * @param {string} name
   * @param {() => { open(): Promise<object>, stop(): Promise<void> }} start - Creates a screen,
   *   which opens one page at a time.
   */
  constructor(name, start) {
    this.name = name;
    this.#start = start;
  }

  async startSession(id, url) {
    const screen = this.#idle.pop() ?? this.#startScreen();
    const page = await screen.open();
    this.#open.set(id, { page, screen });
    await page.setViewport(viewport);
    await page.goto(url);
  }

  isActive(id) {
    return this.#open.has(id);
  }

  /** Web Test Runner calls this only after a test that did not start, to detect a navigation. */
  getBrowserUrl() {
    return undefined;
  }

  getPage(id) {
    return this.#pageOf(id).page;
  }

  async stopSession(id) {
    const { page, screen } = this.#pageOf(id);
    this.#open.delete(id);
    await page.close();
    this.#idle.push(screen);
    return {};
  }

  startDebugSession() {
    throw new Error(`${this.name} does not support watch mode: use Chromium.`);
  }

  async stop() {
    await Promise.all(this.#screens.map((screen) => screen.stop()));
  }

  #startScreen() {
    const screen = this.#start();
    this.#screens.push(screen);
    return screen;
  }

  #pageOf(id) {
    const opened = this.#open.get(id);
    if (!opened) throw new Error(`${this.name} has no page for the session ${id}.`);
    return opened;
  }
}
