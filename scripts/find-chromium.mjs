/**
 * Which browser the tests drive, and with which flags. A browser that the system already has is
 * preferred to a download: it is there, it is patched, and it is what CI has.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * What Chromium leaves out. The first two are pages of its own that every new window draws for its
 * address bar, which nobody sees: half of the work of opening one. The others are what Playwright
 * names: of two such flags Chromium reads the last alone.
 */
const without = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Flags for a browser that only ever visits this machine. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${without}`,
];

/**
 * The path of a Chromium on this machine: `CHROMIUM_PATH`, then `/usr/bin/chromium`, then any
 * Chromium or Chrome in `PATH`. `undefined` means Playwright's own download.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const asked = env.CHROMIUM_PATH;
  if (asked) {
    if (existsSync(asked)) return asked;
    throw new Error(
      `CHROMIUM_PATH is ${asked}, and there is no such file. Correct it or unset it.`,
    );
  }
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter).filter(Boolean)];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Launch options for Playwright. */
export function chromiumLaunchOptions() {
  const executablePath = findChromium();
  return { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) };
}
