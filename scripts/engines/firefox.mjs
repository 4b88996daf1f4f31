/** Web Test Runner launcher for the system's Firefox, through WebDriver BiDi. */
import { launch } from 'puppeteer-core';
import { PageLauncher } from './launcher.mjs';

/** @param {string} executablePath */
export function firefoxLauncher(executablePath) {
  return new PageLauncher('Firefox', () => {
    const browser = launch({ browser: 'firefox', executablePath, headless: true });
    return {
      async open() {
        const profile = await (await browser).createBrowserContext();
        return pageOf(await profile.newPage(), profile);
      },
      async stop() {
        await (await browser).close();
      },
    };
  });
}

/** Adapts a Puppeteer page: key combinations are written as `Shift+Tab`. */
function pageOf(page, profile) {
  const { keyboard } = page;
  return {
    goto: (url) => page.goto(url),
    close: () => profile.close(),
    setViewport: (size) => page.setViewport(size),
    screenshot: () => page.screenshot(),
    keyboard: {
      type: (text) => keyboard.type(text),
      down: (key) => keyboard.down(key),
      up: (key) => keyboard.up(key),
      async press(keys) {
        const names = keys.split('+');
        const lastKey = names.pop();
        for (const name of names) await keyboard.down(name);
        await keyboard.press(lastKey);
        for (const name of names.reverse()) await keyboard.up(name);
      },
    },
    mouse: page.mouse,
    emulateMediaFeatures() {
      throw new Error('Firefox cannot emulate media features: run this test only in Chromium.');
    },
  };
}
