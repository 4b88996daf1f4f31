/** Every test file gets this much room, in every engine. */
const viewport = { width: 800, height: 600 };

/**
 * A browser of web-test-runner with a new page, and a new profile, for each test file. Only one
 * window of a screen has the focus: pages that are open at the same time are each on one of its own.
 */
export class LauncherOfPages {
  /** By this name web-test-runner knows what `getPage` gives: something with puppeteer's verbs. */
  type = 'puppeteer';
  /** Two, since a page waits for half of its time, and to open one takes longer than many a test. */
  concurrency = 2;
  #start;
  #screens = [];
  #idle = [];
  #open = new Map();

  /**
   * @param {string} name
   * @param {() => { open(): Promise<object>, stop(): Promise<void> }} start Makes a screen, which
   *   opens one page at a time.
   */
  constructor(name, start) {
    this.name = name;
    this.#start = start;
  }

  async startSession(id, url) {
    const screen = this.#idle.pop() ?? this.#another();
    const page = await screen.open();
    this.#open.set(id, { page, screen });
    await page.setViewport(viewport);
    await page.goto(url);
  }

  isActive(id) {
    return this.#open.has(id);
  }

  /** Only asked after a test that never began, to see whether the page went elsewhere. */
  getBrowserUrl() {
    return undefined;
  }

  getPage(id) {
    return this.#opened(id).page;
  }

  async stopSession(id) {
    const { page, screen } = this.#opened(id);
    this.#open.delete(id);
    await page.close();
    this.#idle.push(screen);
    return {};
  }

  startDebugSession() {
    throw new Error(`${this.name} can't be watched here: open the test in Chromium.`);
  }

  async stop() {
    await Promise.all(this.#screens.map((screen) => screen.stop()));
  }

  #another() {
    const screen = this.#start();
    this.#screens.push(screen);
    return screen;
  }

  #opened(id) {
    const opened = this.#open.get(id);
    if (!opened) throw new Error(`${this.name} has no page for the session ${id}.`);
    return opened;
  }
}
