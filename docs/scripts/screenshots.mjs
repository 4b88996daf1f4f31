/**
 * `npm run docs screenshots`: takes all screenshots of the documentation. The images in `docs/images` show
 * the chat on the home page of the built site, in light and dark mode, and the themes of the demo.
 * `docs/inlay.png`, for the README, shows the chat on a page of the demo.
 */
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import { startDemo } from './demo.mjs';

const site = fileURLToPath(new URL('../dist/site', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const images = join(root, 'docs/images');

/**
 * Screenshots by name, with the suggestion to click, the text to wait for, and the height in which the
 * conversation fits without scrolling.
 */
const screenshots = {
  card: { suggestion: 'Change my booking', text: 'Change it', height: 652 },
  approval: { suggestion: 'Cancel my booking', text: 'refunds €178', height: 520 },
};

/** Themes of the demo, with the colour scheme of their screenshot. */
const themes = {
  bank: 'light',
  museum: 'light',
  developer: 'dark',
  fashion: 'light',
  hospital: 'light',
  outdoor: 'dark',
};

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = join(site, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
try {
  mkdirSync(images, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, { suggestion, text, height }] of Object.entries(screenshots)) {
      const page = await browser.newPage({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width: 1280, height: 900 },
        deviceScaleFactor: 2,
      });
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.addStyleTag({ content: `.front .live-chat { height: ${height}px }` });
      await page.getByRole('button', { name: suggestion }).click();
      await page.getByText(text).first().waitFor();
      await page
        .locator('.live-chat')
        .screenshot({ path: join(images, `${name}-${colorScheme}.png`) });
      await page.close();
    }
  }
  await takeScreenshotsOfDemo();
} finally {
  await browser.close();
  server.close();
}

async function takeScreenshotsOfDemo() {
  const demo = await startDemo();
  try {
    await takeScreenshotOfAnswer(demo.host);
    for (const [theme, colorScheme] of Object.entries(themes)) {
      await takeScreenshotOfTheme(demo.host, theme, colorScheme);
    }
  } finally {
    await demo.stop();
  }
}

/** Asks a question on a page of the demo, and takes a screenshot of the answer with its tool call. */
async function takeScreenshotOfAnswer(host) {
  const page = await browser.newPage({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 1080, height: 680 },
    deviceScaleFactor: 1.5,
  });
  await page.request.post(`${host}/login`, { data: { id: 'ada' } });
  await page.goto(`${host}/script-tag`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const field = page.getByRole('textbox', { name: /message/i });
  await field.fill('And what will the weather be in Lisbon?');
  await field.press('Enter');
  await page.locator('inlay-agent-message').getByText('Take sunglasses').waitFor();
  // The actions and the suggestions are rendered after the answer.
  await page.getByRole('button', { name: 'Change my booking' }).waitFor();
  await page.screenshot({ path: join(root, 'docs/inlay.png') });
  await page.close();
}

/** Takes a screenshot of the conversation that the page of the themes starts by itself. */
async function takeScreenshotOfTheme(host, theme, colorScheme) {
  const page = await browser.newPage({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 440, height: 900 },
    deviceScaleFactor: 2,
  });
  await page.goto(`${host}/themes#${theme}`);
  await page.locator('inlay-agent-message').getByText('Take sunglasses').waitFor();
  await page.getByRole('button', { name: 'A table, please' }).waitFor();
  const chat = page.locator('inlay-chat');
  await chat.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await chat.boundingBox();
  // Playwright writes no WebP, which takes a third of the bytes of a PNG.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
    clip: { x, y: y + (await page.evaluate(() => scrollY)), width, height, scale: 1 },
  });
  writeFileSync(join(images, `theme-${theme}.webp`), Buffer.from(data, 'base64'));
  await page.close();
}
