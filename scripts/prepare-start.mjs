/**
 * The first step of `npm start` and `npm run demo`: checks that the ports are free, and builds the files for
 * browsers that have changed since their last build. Imports nothing, so that it answers immediately.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';

/** Names of tests, results of builds and packing, and the packages that are not for browsers. */
const unrelated =
  /^(node_modules|dist|web|notices|LICENSE|create-inlay|node|server)$|\.test\.tsx?$|\.tsbuildinfo$/;

const isDemo = process.argv[2] === 'demo';
const { PORT = 8787, DEMO_PORT = 8788, HOST } = process.env;
const host = (!isDemo && HOST) || '127.0.0.1';

for (const [name, port] of Object.entries(isDemo ? { PORT, DEMO_PORT } : { PORT })) {
  if (!(await isTaken(port))) continue;
  console.error(`Port ${port} is in use. Stop the other program, or set ${name} to another port.`);
  process.exit(1);
}

const packages = newestChange('packages', 'scripts', 'package-lock.json');
build('the files of the chat, about 20 s', 'build:web', packages, 'packages/server/notices/web.md');
if (isDemo) {
  const changed = Math.max(packages, newestChange('demo'));
  build('the pages of the demo, about 10 s', 'build -w demo', changed, 'demo/dist/index.html');
}

console.log('Starting …');

/** Whether another program listens on a port. An invalid port is left to the program that reads it. */
async function isTaken(port) {
  if (!/^\d+$/.test(port) || port > 65_535) return false;
  const server = createServer().listen(Number(port), host);
  const error = await once(server, 'listening').catch(({ code }) => code);
  server.close();
  return error === 'EADDRINUSE';
}

/** @param output The last file that the build writes. */
function build(what, script, changed, output) {
  const built = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > changed) return;
  console.log(`Building ${what} …`);
  const { status } = spawnSync(`npm run --silent ${script}`, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** Returns the time of the last change of the files in folders. */
function newestChange(...paths) {
  const times = paths.map((path) => {
    const stats = statSync(path);
    if (!stats.isDirectory()) return stats.mtimeMs;
    const names = readdirSync(path).filter((name) => !unrelated.test(name));
    return newestChange(...names.map((name) => `${path}/${name}`));
  });
  return Math.max(0, ...times);
}
