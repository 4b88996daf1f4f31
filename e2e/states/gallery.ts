import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { build } from 'esbuild';
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { type Setting, sizes } from './state.ts';

const origin = 'http://states.test';
const entry = 'page.js';

/** Every state begins at this moment, and its wall clock stands still. */
const now = new Date('2026-03-02T09:41:00Z');

/** Debian's fonts, by name, so that nothing depends on which others there are. */
const fonts = {
  text: '"Liberation Sans", "DejaVu Sans", "Noto Sans Devanagari", "Droid Sans Fallback", sans-serif',
  mono: '"Liberation Mono", monospace',
};

const style = `
  :root { --inlay-font-family: ${fonts.text}; --inlay-font-family-mono: ${fonts.mono}; color-scheme: light dark; }
  body { margin: 0; font: 15px ${fonts.text}; background: Canvas; color: CanvasText; }
  inlay-chat { display: block; block-size: 100vh; }
  main { padding: 24px; }
`;

/** A browser with nothing but the states in it: no network, no animation, no moving clock. */
export class Gallery {
  readonly #browser: Browser;
  readonly #files: ReadonlyMap<string, string>;

  private constructor(browser: Browser, files: ReadonlyMap<string, string>) {
    this.#browser = browser;
    this.#files = files;
  }

  static async open(): Promise<Gallery> {
    const files = await bundle();
    return new Gallery(await chromium.launch(chromiumLaunchOptions()), files);
  }

  /** Of the browser, such as `156.0.8078.79`. */
  get version(): string {
    return this.#browser.version();
  }

  /** An empty page in a setting. What goes wrong in it is thrown by `close`. */
  async hang(setting: Setting = {}): Promise<Frame> {
    const { contrast } = setting;
    const context = await this.#browser.newContext({
      viewport: sizes[setting.size ?? 'phone'],
      deviceScaleFactor: 1,
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      colorScheme: setting.scheme ?? 'light',
      contrast: contrast === 'more' ? 'more' : 'no-preference',
      forcedColors: contrast === 'forced' ? 'active' : 'none',
      isMobile: setting.touch ?? false,
      hasTouch: setting.touch ?? false,
    });
    const page = await context.newPage();
    const frame = new Frame(context, page);
    await context.route('**', (route) => {
      const url = new URL(route.request().url());
      const file = url.origin === origin ? this.#files.get(url.pathname.slice(1)) : undefined;
      if (file !== undefined) return route.fulfill({ contentType: 'text/javascript', body: file });
      if (url.href === `${origin}/`) {
        return route.fulfill({ contentType: 'text/html', body: html(setting) });
      }
      frame.problems.push(`asks the network for ${url.href}`);
      return route.abort();
    });
    await page.clock.setFixedTime(now);
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => 'showState' in window);
    return frame;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** One page of the gallery. */
export class Frame {
  readonly page: Page;
  /** What went wrong so far, though the state may look well. */
  readonly problems: string[] = [];
  readonly #context: BrowserContext;

  constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.on('pageerror', (error) => this.problems.push(error.message));
  }

  /** Brings the page into a state. */
  async show(name: string): Promise<void> {
    await this.page.evaluate((wanted) => window.showState(wanted), name);
    await this.page.evaluate(() => document.fonts.ready);
  }

  /** What can be seen, once two looks after each other are the same. */
  async picture(): Promise<Buffer> {
    let last = await this.#look();
    for (let looks = 0; looks < 25; looks += 1) {
      await this.rest();
      const next = await this.#look();
      if (next.equals(last)) return next;
      last = next;
    }
    throw new Error('The state never comes to rest.');
  }

  /** Two frames: one to work out what is new, one to draw it. */
  async rest(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #look(): Promise<Buffer> {
    return this.page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
  }
}

const html = ({ dir = 'ltr', lang = 'en' }: Setting) =>
  `<!doctype html><html lang="${lang}" dir="${dir}"><meta name="viewport" content="width=device-width">` +
  `<title>States</title><style>${style}</style><script type="module" src="/${entry}"></script>`;

/** The page and what it loads on demand, from source. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`./${entry.replace('.js', '.ts')}`, import.meta.url).pathname],
    bundle: true,
    splitting: true,
    write: false,
    outdir: '/',
    format: 'esm',
    conditions: ['source', 'browser'],
  });
  return new Map(outputFiles.map(({ path, text }) => [path.split('/').at(-1) ?? '', text]));
}
