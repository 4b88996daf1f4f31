/** Browser engines for the element tests: Chromium always, the others if they are installed. */
import { playwrightLauncher } from '@web/test-runner-playwright';
import { chromiumLaunchOptions, findProgram } from '../find-chromium.mjs';
import { engineNames, enginesOf, selection } from '../testing/selection.mjs';
import { firefoxLauncher } from './firefox.mjs';
import { webkitLauncher } from './webkit.mjs';

/**
 * Launchers for Web Test Runner by name. `INLAY_ENGINES` (comma-separated names) selects the
 * engines; without it, engines that are not installed are skipped with a message.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {{ [name: string]: object }}
 * @throws {Error} If `INLAY_ENGINES` names an engine that is unknown or not installed.
 */
export function engines(env = process.env) {
  const requested = env.INLAY_ENGINES?.split(',').map((name) => name.trim());
  const unknown = requested?.find((name) => !engineNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `INLAY_ENGINES names “${unknown}”. Use one or more of ${engineNames.join(', ')}.`,
    );
  }
  const launchers = {};
  for (const name of requested ?? enginesOf(selection(env.INLAY_TESTS))) {
    const launcher = launcherFactories[name](env);
    if (launcher) launchers[name] = launcher;
    else if (requested) throw new Error(`INLAY_ENGINES names ${name}: ${reasonsForAbsence[name]}`);
    else console.log(`Skipping ${name}: ${reasonsForAbsence[name]}`);
  }
  return launchers;
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
