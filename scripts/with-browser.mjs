/** `node scripts/with-browser.mjs <command> …`: runs a command once there is a browser for it. */
import { spawnSync } from 'node:child_process';
import { ensureBrowser } from './ensure-browser.mjs';

try {
  ensureBrowser();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const [command, ...args] = process.argv.slice(2);
const { status } = spawnSync('npx', ['--no-install', command, ...args], {
  stdio: 'inherit',
  // Packages run from source: nothing is built before a test.
  env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=source` },
});
process.exit(status ?? 1);
