/**
 * `node scripts/with-browser.mjs <command> …`: installs a browser if needed, then runs a command.
 */
import { spawnSync } from 'node:child_process';
import { ensureBrowser } from './engines/ensure-browser.mjs';

try {
  ensureBrowser();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const [command, ...args] = process.argv.slice(2);
const { status } = spawnSync('npx', ['--no-install', command, ...args], {
  stdio: 'inherit',
  // Resolves the packages to their sources, so that tests need no build.
  env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=source` },
});
process.exit(status ?? 1);
