/**
 * `npm run docs:screenshots`: takes the screenshots of the guides, in light and dark mode, of the chat
 * on the home page of the built site (`npm run docs:build`). Writes them to `docs/images`.
 */
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';

const site = fileURLToPath(new URL('../dist/site', import.meta.url));
const images = fileURLToPath(new URL('../images', import.meta.url));
if (!existsSync(site)) throw new Error('There is no built site. Run npm run docs:build first.');

/** Screenshots by name, with the suggestion to click and the text to wait for. */
const pictures = {
  card: ['Change my booking', 'Change it'],
  approval: ['Cancel my booking', 'refunds €178'],
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
    for (const [name, [suggestion, text]] of Object.entries(pictures)) {
      const page = await browser.newPage({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width: 1280, height: 900 },
        deviceScaleFactor: 2,
      });
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.getByRole('button', { name: suggestion }).click();
      await page.getByText(text).first().waitFor();
      await page
        .locator('.live-chat')
        .screenshot({ path: join(images, `${name}-${colorScheme}.png`) });
      await page.close();
    }
  }
} finally {
  await browser.close();
  server.close();
}
