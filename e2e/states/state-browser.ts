import { readFile } from 'node:fs/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'esbuild';
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { type Setting, sizes } from './state.ts';
import { windows } from './windows.ts';

const origin = 'http://states.test';
const entry = 'page.js';
const themes = new URL('../../demo/pages/themes/', import.meta.url);

/** Fixed time of the wall clock in every state. */
const now = new Date('2026-03-02T09:41:00Z');

/** Fonts of Debian packages, by name, so that other installed fonts have no effect. */
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

/**
 * A browser that shows the states without network, animations and a running clock. Pages are reused,
 * because opening one takes longer than auditing it.
 */
export class StateBrowser {
  readonly #browser: Browser;
  readonly #files: ReadonlyMap<string, string>;
  /** Unused pages, and whether they have touch input. */
  readonly #unusedPages: { readonly page: Page; readonly touch: boolean }[] = [];

  private constructor(browser: Browser, files: ReadonlyMap<string, string>) {
    this.#browser = browser;
    this.#files = files;
  }

  static async open(): Promise<StateBrowser> {
    const files = await bundle();
    return new StateBrowser(await chromium.launch(chromiumLaunchOptions()), files);
  }

  /** Version of the browser, such as `156.0.8078.79`. */
  get version(): string {
    return this.#browser.version();
  }

  /** Opens an empty page with the given settings. */
  async openPage(setting: Setting = {}): Promise<StatePage> {
    const { touch = false } = setting;
    const index = this.#unusedPages.findIndex((unusedPage) => unusedPage.touch === touch);
    const page =
      this.#unusedPages.splice(index, index < 0 ? 0 : 1)[0]?.page ?? (await this.#open(touch));
    await page.setViewportSize(sizes[setting.size ?? 'phone']);
    const statePage = new StatePage(page, () => this.#unusedPages.push({ page, touch }));
    await page.route('**', (route) => {
      const url = new URL(route.request().url());
      const file = url.origin === origin ? this.#files.get(url.pathname.slice(1)) : undefined;
      if (file !== undefined) return route.fulfill({ contentType: 'text/javascript', body: file });
      if (url.href === `${origin}/`) {
        return route.fulfill({ contentType: 'text/html', body: html(setting) });
      }
      statePage.problems.push(`sends a request to ${url.href}`);
      return route.abort();
    });
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => 'showState' in window);
    await statePage.setAppearance(setting);
    return statePage;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #open(touch: boolean): Promise<Page> {
    const context = await this.#browser.newContext({
      deviceScaleFactor: 1,
      locale: 'en-US',
      timezoneId: 'UTC',
      isMobile: touch,
      hasTouch: touch,
    });
    // Clears the storage of the previous state.
    await context.addInitScript(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    return page;
  }
}

/** A page that can show a state. */
export class StatePage {
  readonly page: Page;
  /** Errors so far, which may be invisible in the state. */
  readonly problems: string[] = [];
  readonly #release: () => void;
  #isUnchanged = true;

  constructor(page: Page, release: () => void) {
    this.page = page;
    this.#release = release;
    page.on('pageerror', this.#recordError);
  }

  /** Changes the theme and the emulated colour preferences, but not the state. */
  async setAppearance({ scheme = 'light', contrast, theme }: Setting): Promise<void> {
    await this.page.emulateMedia({
      reducedMotion: 'reduce',
      colorScheme: scheme,
      contrast: contrast === 'more' ? 'more' : 'no-preference',
      forcedColors: contrast === 'forced' ? 'active' : 'none',
    });
    const css = theme ? await readFile(new URL(`${theme}.css`, themes), 'utf8') : '';
    await this.page.evaluate(async (text) => {
      const sheet = await new CSSStyleSheet().replace(text);
      document.adoptedStyleSheets = [sheet];
    }, css);
  }

  /** Shows a state. */
  async show(name: string): Promise<void> {
    await this.page.evaluate((stateName) => window.showState(stateName), name);
    await this.page.evaluate(() => document.fonts.ready);
  }

  /** Waits two animation frames: one for updates, one for rendering. */
  async waitForFrames(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  /** Audits the accessibility of the page. Returns one string per finding. */
  async audit(names: readonly (keyof typeof windows)[]): Promise<string[]> {
    const findings: string[] = [];
    const add = (context: string, lines: readonly string[]) =>
      findings.push(...lines.map((line) => `${context}: ${line}`));
    for (const name of names) {
      await this.page.setViewportSize(windows[name]);
      // The page gets its new size later than the browser.
      await this.page.waitForFunction(
        ({ width, height }) => innerWidth === width && innerHeight === height,
        windows[name],
      );
      await this.waitForFrames();
      add(name, await this.page.evaluate(() => window.auditState()));
    }
    // This audit is last, because moving the focus can close overlays.
    const { lines, isUnchanged } = await this.page.evaluate(() => window.auditFocus());
    add('focus', lines);
    this.#isUnchanged &&= isUnchanged;
    return findings;
  }

  /** Whether no audit so far has changed the page. */
  get isUnchanged(): boolean {
    return this.#isUnchanged;
  }

  /** Releases the page for reuse. */
  async close(): Promise<void> {
    this.page.off('pageerror', this.#recordError);
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    this.#release();
  }

  readonly #recordError = ({ message }: Error) => {
    this.problems.push(message);
  };
}

const html = ({ dir = 'ltr', lang = 'en' }: Setting) =>
  `<!doctype html><html lang="${lang}" dir="${dir}"><meta name="viewport" content="width=device-width">` +
  `<title>States</title><style>${style}</style><script type="module" src="/${entry}"></script>`;

/** Bundles the page and its lazy-loaded chunks from source. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`./${entry.replace('.js', '.ts')}`, import.meta.url).pathname],
    bundle: true,
    splitting: true,
    write: false,
    outdir: '/',
    format: 'esm',
    minify: true,
    conditions: ['source', 'browser'],
  });
  return new Map(outputFiles.map(({ path, text }) => [path.split('/').at(-1) ?? '', text]));
}
