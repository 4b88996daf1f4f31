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
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { page } from '../fault-proxy/fault.ts';
import { startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { apiKey, startPlatformProcess } from '../faults/platform-process.ts';

/** A page that prerenders the link with speculation rules, and opens it when `/go` exists. */
const linkPage = (link: string) => `<!doctype html><title>Letter</title><body><script>
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({
    prerender: [{ source: 'list', urls: [${JSON.stringify(link)}], eagerness: 'immediate' }],
  });
  document.body.append(rules);
  const timer = setInterval(async () => {
    const { ok } = await fetch('/go');
    if (!ok) return;
    clearInterval(timer);
    location.href = ${JSON.stringify(link)};
  }, 500);
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
  const port = await freePort();
  const requests: { method: string; path: string; purpose: string }[] = [];
  const proxy = await startFaultProxy({
    target: `http://127.0.0.1:${port}`,
    onRequest({ method, path }, headers) {
      const purpose = headers.get('sec-purpose') ?? '';
      if (path !== '/go') requests.push({ method, path: path.replace(/\?.*/, ''), purpose });
    },
  });
  cleanups.push(() => proxy.close());
  const platform = await startPlatformProcess('memory', port, proxy.url);
  cleanups.push(() => platform.end('SIGTERM'));
  const { hosted_url: link } = await createPlatformClient({
    baseUrl: platform.url,
    apiKey,
  }).embedTokens.issue({ agent: 'test', external_user_id: 'ada', hosted: true });
  proxy.faults.add(page(linkPage(link ?? '')), { path: '/letter' });
  const browser = openBrowser(`${proxy.url}/letter`, folder);
  cleanups.push(async () => {
    browser.kill('SIGKILL');
    if (browser.exitCode === null) await once(browser, 'exit');
  });
  const requestsTo = (path: string) => requests.filter((request) => request.path === path);

  // The prerendered page has run its scripts, and sends no more requests.
  await expect
    .poll(() => requestsTo('/hosted/').map(({ purpose }) => purpose))
    .toEqual(['prefetch;prerender']);
  let before = -1;
  await expect
    .poll(
      () => {
        const quiet = requests.length === before;
        before = requests.length;
        return quiet && requests.some(({ path }) => path.startsWith('/assets/'));
      },
      { intervals: [1_000] },
    )
    .toBe(true);
  expect(requests.filter(({ path }) => path.startsWith('/agent/'))).toEqual([]);

  proxy.faults.add(page(''), { path: '/go' });

  await expect.poll(() => requestsTo('/agent/v1/embed/config')).toHaveLength(1);
  expect(
    requestsTo('/agent/v1/embed/exchange').filter(({ method }) => method === 'POST'),
  ).toHaveLength(1);
  // The prerendered page is activated, not loaded again.
  expect(requestsTo('/hosted/')).toHaveLength(1);
});
