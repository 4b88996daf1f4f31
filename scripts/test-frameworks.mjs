/**
 * `npm run test:frameworks`: tests the packed packages in a project of each framework
 * (`e2e/frameworks`). Inserts the code of the README unchanged, builds the project without
 * `INLAY_API_KEY`, starts it, and checks the page and the token endpoint. Projects are built in a
 * temporary folder and install their dependencies from the npm registry.
 *
 * `npm run test:frameworks -- next` tests only the named frameworks.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { failureLine } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Target file of the README's code, and packages to install besides `protocol` and `node`. */
const frameworks = {
  next: { endpoint: 'app/api/chat-token/route.ts', packages: ['client', 'elements', 'react'] },
  sveltekit: { endpoint: 'src/lib/server/chat-token.ts', packages: ['client', 'elements'] },
  nuxt: { endpoint: 'server/utils/chat-token.ts', packages: ['client', 'elements'] },
  vite: { endpoint: 'server/chat-token.ts', page: 'index.html', packages: ['client', 'elements'] },
};

/** Session lookup of the host, which the README's code leaves out. */
const session = `
async function yourSession(request: Request): Promise<{ id: string } | null> {
  const id = request.headers.get('x-user') ?? 'ada';
  return { id };
}
`;

const { INLAY_API_KEY: _secret, ...environment } = process.env;
const env = { ...environment, CI: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };

const folder = mkdtempSync(join(tmpdir(), 'inlay-frameworks-'));
const { positionals: chosen } = parseArgs({ allowPositionals: true });
let passed = 0;
/** One line per failed framework. */
const failures = [];
try {
  await run(root, 'npx', ['tsc', '-b']);
  const packages = ['protocol', 'client', 'elements', 'react', 'node'];
  const workspaces = packages.flatMap((name) => ['-w', `@inlay/${name}`]);
  await run(root, 'npm', ['pack', '--pack-destination', folder, ...workspaces]);
  for (const name of chosen.length > 0 ? chosen : Object.keys(frameworks)) await test(name);
} catch (error) {
  // The packages could not be built or packed.
  console.log(error.message);
  failures.push(failureLine('frameworks', { title: 'pack', message: error.message }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
summarize('frameworks', { passed, failed: failures.length, lines: failures });
process.exit(failures.length === 0 ? 0 : 1);

async function test(name) {
  const started = Date.now();
  try {
    const project = prepare(name, frameworks[name]);
    const tarballs = ['protocol', 'node', ...frameworks[name].packages].map(tarballOf);
    await run(project, 'npm', ['install', '--no-audit', '--no-fund', '--no-save', ...tarballs]);
    await run(project, 'npm', ['run', 'build']);
    await check(project);
    passed += 1;
    console.log(`✔ ${name} in ${Math.round((Date.now() - started) / 1000)} s`);
  } catch (error) {
    console.log(error.message);
    failures.push(failureLine('frameworks', { title: name, message: error.message }));
  }
}

function prepare(name, { endpoint, page }) {
  const project = join(folder, name);
  cpSync(join(root, 'e2e/frameworks', name), project, { recursive: true });
  write(join(project, endpoint), readmeCode('ts', 'createTokenEndpoint') + session);
  if (page) {
    const body = readmeCode('html', '@inlay/elements/define');
    write(
      join(project, page),
      `<!doctype html>\n<html lang="en">\n<body>\n${body}</body>\n</html>\n`,
    );
  }
  return project;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Finds the code block of the README that contains a word. */
function readmeCode(language, word) {
  const blocks = readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'));
  const found = [...blocks].map(([, code]) => code).find((code) => code.includes(word));
  if (!found) throw new Error(`The README has no recipe with ${word}.`);
  return found;
}

function tarballOf(name) {
  const file = readdirSync(folder).find((each) => each.startsWith(`inlay-${name}-`));
  return join(folder, file);
}

/** Starts the built project, still without the API key, and checks it. */
async function check(project) {
  const port = await freePort();
  const server = spawn('npm', ['run', 'start'], {
    cwd: project,
    env: { ...env, PORT: String(port), HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  for (const output of [server.stdout, server.stderr]) {
    output.on('data', (data) => {
      log += data;
    });
  }
  try {
    const site = `http://127.0.0.1:${port}`;
    const page = await (await waitForServer(site, () => log)).text();
    expect(page.includes('<inlay-chat'), `the page holds the chat:\n${page.slice(0, 2000)}`);
    expect(!page.includes('[object Object]'), `the page prints no object:\n${page}`);
    const token = await fetch(`${site}/api/chat-token`, { method: 'POST' });
    const answer = `${token.status} ${await token.text()}`;
    expect(answer === '500 {"code":"MISCONFIGURED"}', `the endpoint answered ${answer}\n${log}`);
    expect(log.includes('INLAY_API_KEY'), `the log names the variable:\n${log}`);
  } finally {
    process.kill(-server.pid);
    await once(server, 'close');
  }
}

function expect(condition, what) {
  if (!condition) throw new Error(`expected that ${what}`);
}

async function waitForServer(url, log) {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return response;
    await delay(200);
  }
  throw new Error(`There is no server at ${url}:\n${log()}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a command. Rejects with its output if it fails. */
async function run(cwd, command, parameters) {
  const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const [status] = await once(child, 'close');
  if (status === 0) return;
  const text = Buffer.concat(output).toString();
  throw new Error(`${command} ${parameters.join(' ')} failed:\n${text.slice(-6000)}`);
}
