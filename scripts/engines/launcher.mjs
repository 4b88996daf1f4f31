/** Every test file gets this much room, in every engine. */
const viewport = { width: 800, height: 600 };

/**
 * A browser of web-test-runner with a new page, and a new profile, for each test file. One at a
 * time: only one window of a screen has the focus.
 */
export class LauncherOfPages {
  /** By this name web-test-runner knows what `getPage` gives: something with puppeteer's verbs. */
  type = 'puppeteer';
  concurrency = 1;
  #engine;
  #pages = new Map();

  /**
   * @param {string} name
   * @param {{ open(): Promise<object>, stop(): Promise<void> }} engine Opens pages, and ends.
   */
  constructor(name, engine) {
    this.name = name;
    this.#engine = engine;
  }

  async startSession(id, url) {
    const page = await this.#engine.open();
    this.#pages.set(id, page);
    await page.setViewport(viewport);
    await page.goto(url);
  }

  isActive(id) {
    return this.#pages.has(id);
  }

  /** Only asked after a test that never began, to see whether the page went elsewhere. */
  getBrowserUrl() {
    return undefined;
  }

  getPage(id) {
    const page = this.#pages.get(id);
    if (!page) throw new Error(`${this.name} has no page for the session ${id}.`);
    return page;
  }

  async stopSession(id) {
    const page = this.getPage(id);
    this.#pages.delete(id);
    await page.close();
    return {};
  }

  startDebugSession() {
    throw new Error(`${this.name} can't be watched here: open the test in Chromium.`);
  }

  stop() {
    return this.#engine.stop();
  }
}
