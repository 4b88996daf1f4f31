/** The bubble on pages with the banner of a consent tool: neither covers a button of the other. */
import type { Locator, Page } from '@playwright/test';
import { page as pageFault } from '../fault-proxy/fault.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { expect, test } from '../fixtures.ts';
import { type ConsentTool, consentTools } from '../pages/consent-tools.ts';

let host: FaultProxy;
test.beforeEach(async ({ site }) => {
  host = await startFaultProxy({ target: site.host });
});
test.afterEach(() => host.close());

/** Opens a page with the banner and the script tag. Returns the buttons of the banner. */
async function open(page: Page, platform: string, tool: ConsentTool): Promise<Locator> {
  const document = `<!doctype html><html lang="en"><title>Shop</title>
    <meta name="viewport" content="width=device-width">
    <body><h1>Shop</h1>${tool.html}
    <script async src="${platform}/inlay.js" data-publishable-key="pk_demo"></script>`;
  host.faults.add(pageFault(document), { path: /^\/$/ });
  await page.goto(host.url);
  const banner = (tool.frame ? page.frameLocator(tool.frame) : page).locator(tool.banner);
  const buttons = banner.locator('button, a');
  await expect(buttons.first()).toBeInViewport();
  return buttons;
}

/** Names of the buttons that another element covers, even in part. */
async function coveredButtons(page: Page, tool: ConsentTool, buttons: Locator): Promise<string[]> {
  const covered: string[] = [];
  for (const button of await buttons.all()) {
    const hits = await hitElements(page, button);
    if (hits.some((name) => /^inlay-|^$/.test(name))) covered.push(await button.innerText());
  }
  const hits = await hitElements(page, page.getByRole('button', { name: 'Open chat' }));
  if (!tool.isModal && hits.some((name) => !name.startsWith('inlay-'))) covered.push('Open chat');
  return covered;
}

/** Names of the elements that receive clicks on the parts of a button; empty outside of the window. */
async function hitElements(page: Page, button: Locator): Promise<string[]> {
  const box = await button.boundingBox();
  if (!box) return [''];
  return page.evaluate(({ x, y, width, height }) => {
    const fractions = [0.2, 0.5, 0.8];
    return fractions.flatMap((right) =>
      fractions.map((down) => {
        return document.elementFromPoint(x + width * right, y + height * down)?.localName ?? '';
      }),
    );
  }, box);
}

for (const tool of consentTools) {
  test(`no button of ${tool.name} and the bubble cover each other, on a phone and on a desktop`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    const buttons = await open(page, site.platform, tool);
    await expect.poll(() => coveredButtons(page, tool, buttons)).toEqual([]);

    await page.setViewportSize({ width: 1280, height: 800 });

    await expect.poll(() => coveredButtons(page, tool, buttons)).toEqual([]);
  });
}
