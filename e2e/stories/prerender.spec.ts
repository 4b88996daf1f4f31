/**
 * A browser that prerenders a hosted link. Chromium does not prerender while developer tools are
 * attached, so the browser is started without Playwright, and the test observes its requests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlatformClient } from '@inlay/node';
import { chromium, expect, test } from '@playwright/test';
import { freePort } from '../../demo/src/free-port.ts';
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { apiKey, startPlatformProcess } from '../faults/platform-process.ts';
import { RecordingProxy } from '../recording-proxy.ts';

/** A page that prerenders the link with speculation rules, and opens it after a request to `/go`. */
const linkPage = (link: string) => `<!doctype html><title>Letter</title><body><script>
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({
    prerender: [{ source: 'list', urls: [${JSON.stringify(link)}], eagerness: 'immediate' }],
  });
  document.body.append(rules);
  fetch('/go').then(() => { location.href = ${JSON.stringify(link)}; });
</script>`;

function openBrowser(address: string, profile: string): ChildProcess {
  const { executablePath = chromium.executablePath(), args } = chromiumLaunchOptions();
  const flags = ['--headless', ...args, `--user-data-dir=${profile}`];
  return spawn(executablePath, [...flags, address], { stdio: 'ignore' });
}

const cleanups: (() => Promise<void> | void)[] = [];
test.afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('E05: a prerendered page exchanges its code only when it is shown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inlay-prerender-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const proxy = new RecordingProxy();
  const address = await proxy.start();
  cleanups.push(() => proxy.stop());
  const platform = await startPlatformProcess('memory', await freePort(), address);
  cleanups.push(() => platform.end('SIGTERM'));
  proxy.target = platform.url;
  const { hosted_url: link } = await createPlatformClient({
    baseUrl: platform.url,
    apiKey,
  }).embedTokens.issue({ agent: 'test', external_user_id: 'ada', hosted: true });
  let go = () => {};
  const goResponse = new Promise<string>((resolve) => {
    go = () => resolve('');
  });
  proxy.page('/letter', () => linkPage(link ?? ''));
  proxy.page('/go', () => goResponse);
  const browser = openBrowser(`${address}/letter`, folder);
  cleanups.push(async () => {
    browser.kill('SIGKILL');
    if (browser.exitCode === null) await once(browser, 'exit');
  });
  const requestsTo = (path: string) => proxy.requests.filter((request) => request.path === path);

  // The prerendered page has run its scripts, and sends no more requests.
  await expect
    .poll(() => requestsTo('/hosted/').map(({ purpose }) => purpose))
    .toEqual(['prefetch;prerender']);
  let before = -1;
  await expect
    .poll(
      () => {
        const quiet = proxy.requests.length === before;
        before = proxy.requests.length;
        return quiet && proxy.requests.some(({ path }) => path.startsWith('/assets/'));
      },
      { intervals: [1_000] },
    )
    .toBe(true);
  expect(proxy.requests.filter(({ path }) => path.startsWith('/agent/'))).toEqual([]);

  go();

  await expect.poll(() => requestsTo('/agent/v1/embed/config')).toHaveLength(1);
  expect(
    requestsTo('/agent/v1/embed/exchange').filter(({ method }) => method === 'POST'),
  ).toHaveLength(1);
  // The prerendered page is activated, not loaded again.
  expect(requestsTo('/hosted/')).toHaveLength(1);
});
