/** Sees to it that there is a Chromium for the tests, or says in a sentence what to install. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { findChromium } from './find-chromium.mjs';

const remedy =
  'No Chromium for the tests: install Chromium or Chrome, or run `npx playwright install chromium`, then try again.';

/**
 * In this order: a browser that is there; Playwright's own download; on Debian, as root, its
 * `chromium` package.
 *
 * @throws {Error} With the remedy, where none of them works.
 */
export function ensureBrowser() {
  if (hasBrowser()) return;
  console.log('No browser found: asking Playwright to download one.');
  run('npx', ['playwright', 'install', 'chromium']);
  if (hasBrowser()) return;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log("That did not work: installing Debian's chromium package.");
    run('apt-get', ['update', '-q']);
    run('apt-get', ['install', '-y', '-q', 'chromium']);
    if (hasBrowser()) return;
  }
  throw new Error(remedy);
}

function hasBrowser() {
  return findChromium() !== undefined || existsSync(chromium.executablePath());
}

function run(command, args) {
  spawnSync(command, args, {
    stdio: 'inherit',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
