/**
 * Counts the bytes and requests of a page until the first Markdown answer is on screen, in Chromium:
 * with the files of `npm run build:web`, and with a Vite build of the packed packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { chromium } from 'playwright';
import { build } from 'vite';
import { ensureBrowser } from '../engines/ensure-browser.mjs';
import { chromiumLaunchOptions } from '../find-chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const web = join(root, 'packages/server/web');
/** The module that moves the bubble away from cookie bars: no step waits for it. */
const separateFiles = /keep-clear/;
const answer = 'It is **fine**:\n\n- *one*\n- [two](https://example.com)\n\nThat is `all`.';

/**
 * @typedef {object} Load
 * @property {string} description
 * @property {number} requests - Number of requested scripts and style sheets.
 * @property {number} bytes - Total size of these files, each compressed separately with brotli.
 * @property {readonly string[]} files - Paths of these files, in the order of the requests.
 */

/**
 * Measures every load. Needs the files of `npm run build:web` and of `tsc -b`.
 *
 * @returns {Promise<Record<'inlay' | 'clearance' | 'scriptTag' | 'packages' | 'client', Load>>}
 */
export async function measureLoads() {
  ensureBrowser();
  const builtPages = await buildPackedPages();
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const [inlay, scriptTag, clearance] = await measure(browser, {
      folder: web,
      body: '<script src="/inlay.js" data-publishable-key="pk_test"></script>',
      steps: {
        'inlay.js, on every page': async (page) => {
          await page.getByRole('button', { name: 'Open chat' }).waitFor();
        },
        'script tag, until the first answer': async (page) => {
          await page.getByRole('button', { name: 'Open chat' }).click();
          await sendMessage(page);
        },
      },
      separate: 'module that keeps the bubble clear, after inlay.js',
    });
    const [packages] = await measure(browser, {
      folder: builtPages,
      body: `<inlay-chat base-url="ORIGIN" publishable-key="pk_test"></inlay-chat>
        <script type="module" src="/elements.js"></script>`,
      steps: {
        'npm packages, until the first answer': sendMessage,
      },
    });
    const [client] = await measure(browser, {
      folder: builtPages,
      body: '<script type="module" src="/client.js"></script>',
      steps: {
        '@inlay/client, until the first answer': (page) => page.getByText('That is').waitFor(),
      },
    });
    return { inlay, clearance, scriptTag, packages, client };
  } finally {
    await browser.close();
    rmSync(builtPages, { recursive: true });
  }
}

/** Sends a message and waits until the complete answer is rendered as Markdown. */
async function sendMessage(page) {
  const field = page.getByRole('textbox', { name: /message/i });
  await field.fill('How is it?');
  await field.press('Enter');
  await page.locator('inlay-markdown strong').getByText('fine').waitFor();
  await page.locator('inlay-markdown code').getByText('all').waitFor();
  // Waits for requests that the page sends when it is idle after the answer.
  await page.waitForTimeout(1_000);
}

/**
 * Opens a page with the given body. Returns a load for each step, counted from the first request, and with
 * `separate` one for the modules that no step waits for.
 */
async function measure(browser, { folder, body, steps, separate }) {
  const site = await serve(folder, body);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const { files } = site;
    await page.addInitScript({ content: await bundleScriptedPlatform() });
    await page.goto(site.origin);
    const loads = [];
    const addLoad = (description, isSeparate) => {
      const counted = files.filter((file) => separateFiles.test(file) === isSeparate);
      const bytes = compressedSizeOf(folder, counted);
      loads.push({ description, requests: counted.length, bytes, files: counted });
    };
    for (const [description, step] of Object.entries(steps)) {
      await step(page);
      addLoad(description, false);
    }
    if (separate) addLoad(separate, true);
    return loads;
  } finally {
    await context.close();
    site.close();
  }
}

function compressedSizeOf(folder, files) {
  const sizes = files.map((file) => brotliCompressSync(readFileSync(join(folder, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bundles a script that replaces the network with the scripted platform of `@inlay/client/testing`. */
async function bundleScriptedPlatform() {
  const { outputFiles } = await bundle({
    stdin: {
      contents: `import { createScriptedPlatform } from './packages/client/src/testing.ts';
        const answer = ${JSON.stringify(answer)};
        createScriptedPlatform({ baseUrl: location.origin, answer }).interceptFetch();`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
    conditions: ['source'],
  });
  return outputFiles[0].text;
}

/**
 * Serves the files of a folder, and a page with the given body at `/`. `files` are the requested scripts
 * and style sheets; the browser requests each once, because it may cache the responses.
 */
async function serve(folder, body) {
  const files = [];
  const server = createServer(({ url = '/', headers }, response) => {
    if (url === '/') {
      const html = `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">`;
      const filled = body.replaceAll('ORIGIN', `http://${headers.host}`);
      response.setHeader('content-type', 'text/html').end(`${html}<body>${filled}</body>`);
      return;
    }
    const type = url.endsWith('.css') ? 'text/css' : 'text/javascript';
    if (/\.(?:js|css)$/.test(url)) files.push(url.slice(1));
    response.setHeader('cache-control', 'immutable, max-age=3600');
    try {
      response.setHeader('content-type', type).end(readFileSync(join(folder, url)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, files, close };
}

/** Packs the packages, and builds `pages` from them with Vite's default options. Returns the folder. */
async function buildPackedPages() {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-size-'));
  const packageNames = ['protocol', 'client', 'elements'];
  const workspaces = packageNames.flatMap((name) => ['-w', `@inlay/${name}`]);
  execFileSync('npm', ['pack', '--pack-destination', folder, ...workspaces], {
    cwd: root,
    stdio: 'ignore',
  });
  // Inside the repository's `node_modules`, so that the dependencies of the packages resolve.
  const project = mkdtempSync(join(root, 'node_modules/.inlay-size-'));
  try {
    for (const name of packageNames) {
      const target = join(project, 'node_modules/@inlay', name);
      mkdirSync(target, { recursive: true });
      const tarball = readdirSync(folder).find((each) => each.startsWith(`inlay-${name}-`));
      execFileSync('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1']);
    }
    for (const [name, source] of Object.entries(pages)) {
      writeFileSync(join(project, `${name}.js`), source);
      await build({
        configFile: false,
        logLevel: 'warn',
        root: project,
        build: {
          outDir: folder,
          emptyOutDir: false,
          reportCompressedSize: false,
          rolldownOptions: {
            input: join(project, `${name}.js`),
            output: { entryFileNames: '[name].js' },
          },
        },
      });
    }
    return folder;
  } finally {
    rmSync(project, { recursive: true });
  }
}

/** Scripts of the pages that use the packed packages, by name. */
const pages = {
  elements: `import '@inlay/elements/define-chat';`,
  client: `import { anonymousVisitor, createInlayClient } from '@inlay/client';
    const client = createInlayClient({
      baseUrl: location.origin,
      tokens: anonymousVisitor({ publishableKey: 'pk_test' }),
    });
    const conversation = client.conversation();
    conversation.subscribe(() => {
      document.body.textContent = conversation.state.entries.at(-1)?.text ?? '';
    });
    void conversation.send('How is it?');`,
};
