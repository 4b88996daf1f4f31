/** The script tag on pages whose scripts, libraries and optimizers get in its way. */
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { ChatPage } from '../chat-page.ts';
import { page as pageFault } from '../fault-proxy/fault.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { expect, test } from '../fixtures.ts';

let host: FaultProxy;
test.beforeEach(async ({ site }) => {
  host = await startFaultProxy({ target: site.host });
});
test.afterEach(() => host.close());

/** Opens a page with this HTML, whose `PLATFORM` is replaced by the address of the platform. */
async function open(page: Page, platform: string, html: string): Promise<void> {
  const document = `<!doctype html><title>Host</title>${html.replaceAll('PLATFORM', platform)}`;
  host.faults.add(pageFault(document), { path: /^\/$/ });
  await page.goto(host.url);
}

/** Opens the page with a script of `e2e/pages` and the script tag. */
async function openWith(page: Page, platform: string, name: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [resolve('e2e/pages', name)],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const script = outputFiles[0]?.text ?? '';
  const styles = name.startsWith('bootstrap')
    ? '<link rel="stylesheet" href="/bootstrap.css">'
    : '';
  await page.route('**/page.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.route('**/bootstrap.css', (route) =>
    route.fulfill({ path: resolve('node_modules/bootstrap/dist/css/bootstrap.min.css') }),
  );
  await open(page, platform, `${styles}<body>${scriptTag()}<script src="/page.js"></script>`);
}

const scriptTag = (attributes = 'async src="PLATFORM/inlay.js"') =>
  `<script ${attributes} data-publishable-key="pk_demo"></script>`;

/** Opens the panel with the bubble. */
async function openChat(page: Page): Promise<ChatPage> {
  await page.getByRole('button', { name: 'Open chat', includeHidden: true }).click();
  const chat = new ChatPage(page);
  await chat.ready();
  return chat;
}

/** Collects the errors that the page writes to the console. */
function consoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

test('the wheel scrolls the messages on a page that Lenis scrolls', async ({ page, site }) => {
  await openWith(page, site.platform, 'lenis.ts');
  const chat = await openChat(page);
  await chat.ask('A tour of what you can write, please');
  const scroller = page.locator('inlay-message-list [part~="scroller"]');
  const top = () => scroller.evaluate((element) => element.scrollTop);
  const before = await top();
  expect(before).toBeGreaterThan(200);

  await scroller.hover();
  await page.mouse.wheel(0, -150);

  await expect.poll(top).toBeLessThan(before - 100);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

for (const [name, script] of [
  ['Bootstrap', 'bootstrap-modal.ts'],
  ['Radix UI', 'radix-dialog.tsx'],
] as const) {
  test(`the user can write in the chat while a modal of ${name} is open, which stays open and keeps its text`, async ({
    page,
    site,
  }) => {
    await openWith(page, site.platform, script);
    const input = page.getByLabel('Name');
    await input.click();
    await page.keyboard.type('Ada');

    const chat = await openChat(page);
    await chat.field.click();
    await page.keyboard.type('Is it in stock?');

    await expect(chat.field).toHaveValue('Is it in stock?');
    await expect(input).toHaveValue('Ada');
    await expect(input).toBeVisible();
  });
}

test('a script tag of the type “module” shows the bubble', async ({ page, site }) => {
  await open(page, site.platform, scriptTag('type="module" src="PLATFORM/inlay.js"'));

  await openChat(page);
});

const inlined = (attributes: string) => `<body><script>
  fetch('PLATFORM/inlay.js').then((response) => response.text()).then((text) => {
    const script = document.createElement('script');
    script.textContent = text;
    Object.assign(script.dataset, ${attributes});
    document.head.append(script);
  });
</script>`;

test('an inlined script says in the console that it needs data-base-url', async ({
  page,
  site,
}) => {
  const errors = consoleErrors(page);
  await open(page, site.platform, inlined('{ publishableKey: "pk_demo" }'));

  await expect.poll(() => errors.join()).toContain('data-base-url');
});

test('an inlined script with data-base-url shows the bubble', async ({ page, site }) => {
  await open(page, site.platform, inlined('{ publishableKey: "pk_demo", baseUrl: "PLATFORM" }'));

  await openChat(page);
});

/** Opens the page with a copy of the script on the host, as optimizers make it. */
async function openWithCopy(page: Page, platform: string, attributes = ''): Promise<void> {
  await page.route('**/cache/optimized.js', async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${platform}/inlay.js` }) }),
  );
  await open(page, platform, scriptTag(`async src="/cache/optimized.js" ${attributes}`));
}

test('a copy of the script without its chunks loads them from data-base-url', async ({
  page,
  site,
}) => {
  await openWithCopy(page, site.platform, 'data-base-url="PLATFORM"');

  await openChat(page);
});

test('a copy of the script without data-base-url names the file that is missing', async ({
  page,
  site,
}) => {
  const errors = consoleErrors(page);
  await openWithCopy(page, site.platform);

  await page.getByRole('button', { name: 'Open chat' }).click();

  await expect(page.getByText('Chat not loaded. Try again?')).toBeVisible();
  expect(errors.join()).toMatch(/inlay: 404 .*\/cache\/assets\/launch-/);
});

/** Replaces the body, or its content, as libraries do when the user follows a link. */
const replacements = {
  body: () => {
    const body = document.createElement('body');
    body.innerHTML = '<h1>Next page</h1>';
    document.body.replaceWith(body);
  },
  'content of the body': () => {
    document.body.innerHTML = '<h1>Next page</h1>';
  },
};

for (const [name, replace] of Object.entries(replacements)) {
  test(`the bubble and the chat stay when the ${name} is replaced`, async ({ page, site }) => {
    await open(page, site.platform, `<body>${scriptTag()}`);
    await page.getByRole('button', { name: 'Open chat' }).waitFor();

    await page.evaluate(replace);
    const chat = await openChat(page);
    await chat.write('A draft');
    await page.evaluate(replace);

    await expect(chat.field).toHaveValue('A draft');
    await expect(chat.field).toBeVisible();
  });
}

test('a launcher that the page has removed stays removed when the body is replaced', async ({
  page,
  site,
}) => {
  await open(page, site.platform, `<body>${scriptTag()}`);
  await openChat(page);

  await page.evaluate(() => document.querySelector('inlay-launcher')?.remove());
  await page.evaluate(replacements.body);

  await expect(page.locator('inlay-launcher, inlay-bubble')).toHaveCount(0);
});

test('a script tag that is run again shows no second bubble', async ({ page, site }) => {
  await open(page, site.platform, `<body>${scriptTag()}`);
  await page.getByRole('button', { name: 'Open chat' }).waitFor();

  await page.evaluate(async () => {
    const body = document.createElement('body');
    const { outerHTML = '' } = document.querySelector('script') ?? {};
    document.body.replaceWith(body);
    const script = document.createRange().createContextualFragment(outerHTML).firstElementChild;
    if (!script) throw new Error('There is no script.');
    const loaded = new Promise((done) => script.addEventListener('load', done));
    body.append(script);
    await loaded;
  });

  await expect(page.getByRole('button', { name: 'Open chat' })).toHaveCount(1);
});

/** Built-in functions as Prototype.js before version 1.7 defines them. */
const prototypeJs = `
  Array.prototype.toJSON = function () {
    return '[' + this.map((value) => JSON.stringify(value)).join(', ') + ']';
  };
  Array.from = (list) => Array.prototype.slice.call(list);
  Object.keys = (object) => {
    const names = [];
    for (const name in object) names.push(name);
    return names;
  };
  Function.prototype.bind = function (context, ...first) {
    const bound = this;
    if (arguments.length < 2 && context === undefined) return this;
    return function (...rest) {
      return bound.apply(context, first.concat(rest));
    };
  };
  String.prototype.startsWith = function (text) {
    return this.indexOf(text) === 0;
  };
  String.prototype.endsWith = function (text) {
    const start = this.length - text.length;
    return start >= 0 && this.lastIndexOf(text) === start;
  };
  window.Prototype = { Version: '1.6.1' };`;

test('the chat works on a page with Prototype.js, which the diagnosis names with the functions that it replaces', async ({
  page,
  site,
}) => {
  await open(
    page,
    site.platform,
    `<script>${prototypeJs}</script>${scriptTag('async src="PLATFORM/inlay.js" data-placement="top-start"')}`,
  );
  const launcher = page.locator('inlay-launcher');
  const place = () =>
    launcher.evaluate((element) => (element as HTMLElementTagNameMap['inlay-launcher']).place);
  await page.getByRole('button', { name: 'Open chat' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(place).toEqual({ side: 'end', up: 1 });
  const chat = await openChat(page);
  await chat.ask('The weather in Lisbon?');
  // The panel, which was open, opens again.
  await page.reload();

  await expect(chat.answers.first()).toBeVisible();
  expect(await place()).toEqual({ side: 'end', up: 1 });
  const report = await page.evaluate(
    async () => (await document.querySelector('inlay-launcher')?.diagnose())?.text,
  );
  for (const name of [
    ...[
      'Array.prototype.toJSON',
      'Array.from',
      'Object.keys',
      'Function.prototype.bind',
      'String.prototype.startsWith',
    ],
    ...['String.prototype.endsWith', 'Prototype: 1.6.1'],
  ]) {
    expect(report).toContain(name);
  }
});

test('a page with elements of another version shows and logs both versions', async ({
  page,
  site,
}) => {
  const errors = consoleErrors(page);
  await open(
    page,
    site.platform,
    `<script>
      for (const tag of ['inlay-markdown', 'inlay-composer', 'inlay-message-list']) {
        customElements.define(tag, class extends HTMLElement {});
      }
    </script>${scriptTag()}`,
  );

  await page.getByRole('button', { name: 'Open chat' }).click();

  await expect(page.locator('inlay-chat')).toContainText('two versions of Inlay');
  expect(errors.filter((text) => text.includes('two versions'))).toHaveLength(1);
});

/** A service worker that answers all GET requests from its cache, and updates the cache afterwards. */
const cachingWorker = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.method === 'GET') event.respondWith(respond(event.request));
  });
  async function respond(request) {
    const cache = await caches.open('all');
    const hit = await cache.match(request, { ignoreVary: true });
    const fresh = fetch(request).then((response) => {
      if (response.ok) cache.put(request, response.clone()).catch(() => {});
      return response;
    });
    return hit ?? fresh;
  }`;

test('a conversation is up to date on a page whose service worker answers from its cache', async ({
  page,
  site,
}) => {
  host.faults.add(pageFault(cachingWorker, 'text/javascript'), { path: '/sw.js' });
  await open(page, site.platform, `<body>${scriptTag()}`);
  await page.evaluate(async () => {
    const controlled = new Promise((done) =>
      navigator.serviceWorker.addEventListener('controllerchange', done),
    );
    await navigator.serviceWorker.register('/sw.js');
    await controlled;
  });
  const chat = await openChat(page);
  await chat.ask('The weather in Lisbon?');
  await page.reload();
  await expect(chat.answers).toHaveCount(2);
  await chat.ask('The seasons as a table, please');

  await page.reload();

  await expect(chat.questions).toHaveCount(2);
});
