/** A token is in memory and in one header, and nowhere else that a page, a log or a person can see. */
import { expect, test } from '../fixtures.ts';

test('no token is in storage, addresses, the page or the console (T32)', async ({
  chat,
  page,
  site,
}) => {
  const logged: string[] = [];
  const addresses: string[] = [];
  const tokens = new Set<string>();
  page.on('console', (message) => logged.push(message.text()));
  page.on('request', (request) => {
    addresses.push(request.url());
    const header = request.headers().authorization;
    if (header) tokens.add(header.replace('Bearer ', ''));
  });

  await chat.ask('The weather in Lisbon?');
  await site.control(page.request, 'expire');
  await chat.ask('The seasons as a table, please');

  expect(tokens.size).toBeGreaterThan(0);
  const seen = await page.evaluate(async () => {
    const parts: string[] = [location.href, document.cookie];
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll('*')) {
        parts.push(...element.getAttributeNames().map((name) => element.getAttribute(name) ?? ''));
        parts.push(...Object.keys(element).map((key) => String(Reflect.get(element, key))));
        if (element.shadowRoot) walk(element.shadowRoot);
      }
      parts.push(root.textContent ?? '');
    };
    walk(document);
    parts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
    parts.push(JSON.stringify(await indexedDB.databases()));
    return parts.join('\n');
  });
  for (const token of tokens) {
    expect(seen).not.toContain(token);
    expect(logged.join('\n')).not.toContain(token);
    expect(addresses.join('\n')).not.toContain(token);
  }
});
