/** Browser engines for the element tests: Chromium always, the others if they are installed. */
import { playwrightLauncher } from '@web/test-runner-playwright';
import { chromiumLaunchOptions, findProgram } from '../find-chromium.mjs';
import { firefoxLauncher } from './firefox.mjs';
import { webkitLauncher } from './webkit.mjs';

/** Names of the engines. The slowest come first, because two run concurrently. */
const engineNames = ['webkit', 'firefox', 'chromium'];

/** Names of the installed engines. An engine that is not installed is skipped with a message. */
export function installedEngines(env = process.env) {
  return engineNames.filter((name) => {
    const isInstalled = launcherFactories[name](env) !== undefined;
    if (!isInstalled) console.log(`Skipping ${name}: ${reasonsForAbsence[name]}`);
    return isInstalled;
  });
}

/**
 * Launchers for Web Test Runner of the engines that `INLAY_ENGINES` names (comma-separated), by default of
 * all installed ones.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {object[]}
 * @throws {Error} If `INLAY_ENGINES` names an engine that is unknown or not installed.
 */
export function launchers(env = process.env) {
  const requested = env.INLAY_ENGINES?.split(',').map((name) => name.trim());
  const unknown = requested?.find((name) => !engineNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `INLAY_ENGINES names “${unknown}”. Use one or more of ${engineNames.join(', ')}.`,
    );
  }
  return (requested ?? installedEngines(env)).map((name) => {
    const launcher = launcherFactories[name](env);
    if (launcher) return launcher;
    throw new Error(`INLAY_ENGINES names ${name}: ${reasonsForAbsence[name]}`);
  });
}

const launcherFactories = {
  chromium: () =>
    playwrightLauncher({ product: 'chromium', launchOptions: chromiumLaunchOptions() }),
  firefox(env) {
    const path = findProgram(['firefox-esr', 'firefox'], env);
    return path && firefoxLauncher(path);
  },
  webkit(env) {
    const driver = findProgram(['WebKitWebDriver'], env);
    const screen = findProgram(['Xvfb'], env);
    return driver && screen && webkitLauncher({ driver, screen });
  },
};

const reasonsForAbsence = {
  firefox: 'there is no Firefox (Debian: firefox-esr).',
  webkit: 'there is no WebKitWebDriver with Xvfb (Debian: webkit2gtk-driver and xvfb).',
};
