/** Tokens exist only in memory and in one request header. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { openStrictChat } from '../strict-chat.ts';

/** Records the tokens that are sent, and everything that other code on the page could read. */
async function watch(page: Page) {
  const tokens = new Set<string>();
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  page.on('request', (request) => {
    const { authorization = '', ...headers } = request.headers();
    if (authorization) tokens.add(authorization.replace('Bearer ', ''));
    seen.push(request.url(), JSON.stringify(headers), request.postData() ?? '');
  });
  await page.exposeFunction('note', (text: string) => seen.push(text));
  await page.addInitScript(() => {
    const { note } = window as unknown as { note(text: string): void };
    const record = (...values: unknown[]) =>
      note(
        values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(),
      );
    // Messages to other windows and tabs, and beacons.
    for (const target of [window, BroadcastChannel.prototype, MessagePort.prototype]) {
      const post = target.postMessage;
      Object.assign(target, {
        postMessage(this: unknown, ...values: unknown[]) {
          record('postMessage', ...values);
          return Reflect.apply(post, this, values);
        },
      });
    }
    navigator.sendBeacon = (...values) => {
      record('beacon', ...values);
      return true;
    };
    for (const type of ['error', 'unhandledrejection', 'inlay-error', 'inlay-auth-change']) {
      addEventListener(type, (event) => {
        const { detail, message, reason } = event as unknown as Record<string, unknown>;
        const error = (detail ?? reason) as Error | undefined;
        record(type, detail, message, String(reason), String(error?.stack));
      });
    }
  });
  return { tokens, seen };
}

/** Collects storage of all kinds, attributes, properties and React state. */
function readPageState(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const parts: string[] = [location.href, document.cookie, document.title, window.name];
    parts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
    parts.push(JSON.stringify(history.state), JSON.stringify(performance.getEntries()));
    for (const { name = '' } of await indexedDB.databases()) {
      const opened = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      parts.push(name, ...opened.objectStoreNames);
      for (const store of opened.objectStoreNames) {
        const all = opened.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => all.addEventListener('success', resolve));
        parts.push(JSON.stringify(all.result));
      }
    }
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) parts.push(request.url);
    }
    // All values that are reachable from the page's elements, including React's props and fibers.
    const reached = new Set<unknown>();
    const queue: unknown[] = [document.documentElement];
    for (const name of Object.getOwnPropertyNames(window)) {
      if (/inlay|asked|react/i.test(name)) queue.push(Reflect.get(window, name));
    }
    while (queue.length > 0) {
      const value = queue.pop();
      if (typeof value === 'string') parts.push(value);
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue;
      if (reached.has(value) || value === window) continue;
      reached.add(value);
      if (value instanceof Element) {
        for (const { value: text } of value.attributes) parts.push(text);
        queue.push(...value.children, value.shadowRoot);
      }
      if (value instanceof ShadowRoot) queue.push(...value.children);
      if (value instanceof Node) parts.push(value.textContent ?? '');
      if (value instanceof Map || value instanceof Set) queue.push(...value.values());
      if (value instanceof Map) queue.push(...value.keys());
      for (const key of Reflect.ownKeys(value)) {
        const property = Reflect.getOwnPropertyDescriptor(value, key);
        if (property && 'value' in property) queue.push(property.value);
      }
    }
    parts.push(`${reached.size} objects`);
    return parts.join('\n');
  });
}

function expectNoToken(tokens: Set<string>, texts: readonly string[]) {
  const all = texts.join('\n');
  expect(tokens.size).toBeGreaterThan(1);
  for (const token of tokens) {
    expect(token.length).toBeGreaterThan(40);
    expect(all).not.toContain(token.slice(0, 30));
  }
}

test('T32: no token is in storage, addresses, messages, errors, the page or the console', async ({
  page,
  site,
}) => {
  const { tokens, seen } = await watch(page);
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/npm`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');
  await site.control(page.request, 'expire');
  await chat.ask('The seasons as a table, please');
  await site.network(page.request, 'cut');
  await site.network(page.request, 'up');
  // Blocking the user at the end also covers error events.
  await site.control(page.request, 'block');
  await expect(chat.status).toContainText('You can’t use this chat');

  const pageState = await readPageState(page);
  expect(Number(/(\d+) objects$/.exec(pageState)?.[1])).toBeGreaterThan(500);
  expect(seen.join('\n')).toContain('inlay-auth-change');
  expectNoToken(tokens, [pageState, ...seen]);
});

test('T32: no token is in the props and state of React', async ({ page, site }) => {
  const { tokens, seen } = await watch(page);
  await site.signIn(page.request, 'ada');
  const chat = await openStrictChat(page, site, '/strict');
  await chat.ask('The weather in Lisbon?');
  await site.control(page.request, 'expire');
  await chat.ask('The seasons as a table, please');

  const pageState = await readPageState(page);
  expect(pageState).toContain('600px');
  expectNoToken(tokens, [pageState, ...seen]);
});
