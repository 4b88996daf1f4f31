/**
 * Finds the Chromium for the tests and its flags. An installed browser is preferred to a download,
 * because it gets security updates and is the one that CI uses.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const chromiumPrograms = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Disabled features. The first two are hidden pages of the address bar, whose creation takes half of the
 * time to open a window. The others repeat Playwright's list, because Chromium reads only the last
 * `--disable-features` flag.
 */
const disabledFeatures = [
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

/** Flags for a browser that visits only local pages. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures}`,
];

/**
 * Finds an installed Chromium: `CHROMIUM_PATH`, then `/usr/bin/chromium`, then any Chromium or
 * Chrome in `PATH`. `undefined` selects Playwright's download.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const requestedPath = env.CHROMIUM_PATH;
  if (requestedPath) {
    if (existsSync(requestedPath)) return requestedPath;
    throw new Error(
      `CHROMIUM_PATH is ${requestedPath}, which does not exist. Correct or unset it.`,
    );
  }
  return findProgram(chromiumPrograms, env);
}

/** Returns the path of the first installed program: in `/usr/bin`, or in `PATH`. */
export function findProgram(programs, env = process.env) {
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter).filter(Boolean)];
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Launch options for Playwright. */
export function chromiumLaunchOptions() {
  const executablePath = findChromium();
  return { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) };
}
