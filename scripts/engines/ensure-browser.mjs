/** Makes sure that a Chromium for the tests is installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { findChromium } from '../find-chromium.mjs';

const remedy =
  'No Chromium for the tests: install Chromium or Chrome, or run `npx playwright install chromium`, then try again.';

/**
 * Finds or installs a browser: an installed one, then Playwright's download, then (on Debian, as
 * root) the `chromium` package.
 *
 * @throws {Error} If none of them works. The message names the remedy.
 */
export function ensureBrowser() {
  if (hasBrowser()) return;
  console.log('No browser found. Downloading one with Playwright …');
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
