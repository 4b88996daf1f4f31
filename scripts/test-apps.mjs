/**
 * `npm run test:apps`: tests the applications in `demo/apps`, as a developer would build them. Each is
 * copied to a temporary folder, installs the packed packages and its own dependencies, is type-checked
 * and built for production, and then passes one story in a browser, beside a platform: a message is
 * answered, the token is replaced, and access ends.
 *
 * `npm run test:apps -- next` tests only the named applications.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, expect } from '@playwright/test';
import { chromiumFlags, findChromium } from './find-chromium.mjs';
import { failureLine } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';
import { wrongCode } from './testing/wrong-code.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const apps = join(root, 'demo/apps');

/**
 * Differences between the applications: the button that opens the chat, and the selector of answers.
 *
 * @type {Record<string, { open?: string, answers?: string }>}
 */
const differences = {
  'script-tag': { open: 'Open chat' },
  headless: { answers: 'li.agent' },
};

const answer = 'Hello **Ada**, this is the answer.';
const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
const { INLAY_API_KEY: _secret, ...environment } = process.env;
const env = {
  ...environment,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  npm_config_loglevel: 'error',
};

const folder = mkdtempSync(join(tmpdir(), 'inlay-apps-'));
const { positionals: chosen } = parseArgs({ allowPositionals: true });
/** Processes to end, with their process groups. */
const started = [];
let passed = 0;
/** One line per failed application. */
const failures = [];
try {
  await run(root, 'npm', ['run', 'build']);
  const packed = ['protocol', 'client', 'elements', 'react', 'node'];
  const workspaces = packed.flatMap((name) => ['-w', `@inlay/${name}`]);
  await run(root, 'npm', ['pack', '--pack-destination', folder, ...workspaces]);
  const names = readdirSync(apps, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  for (const name of chosen.length > 0 ? chosen : names) {
    // A new platform for each: the chat resumes the user's last conversation on a platform.
    await test(name, await startPlatform());
  }
} catch (error) {
  // The packages could not be built, or the platform did not start.
  console.log(error.message);
  failures.push(failureLine('apps', { title: 'preparation', message: error.message }));
} finally {
  for (const child of started) await end(child);
  rmSync(folder, { recursive: true, force: true });
}
summarize('apps', { passed, failed: failures.length, lines: failures });
process.exit(failures.length === 0 ? 0 : 1);

/** Tests one application. Never rejects. */
async function test(name, platform) {
  const start = Date.now();
  const marks = [];
  const mark = (step) => marks.push(`${step} ${Math.round((Date.now() - start) / 1000)}`);
  const app = join(folder, name);
  try {
    install(name, app);
    await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']);
    mark('installed');
    const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
    // Each framework has its own rule for the variables that a page can read.
    const addresses = {
      INLAY_URL: platform.url,
      VITE_INLAY_URL: platform.url,
      NUXT_PUBLIC_INLAY_URL: platform.url,
      PUBLIC_INLAY_URL: platform.url,
    };
    if (scripts.build) {
      const output = await run(app, 'npm', ['run', 'build'], addresses);
      const warning = output.split('\n').find((line) => /\bwarn(ing)?\b|\(!\)/i.test(line));
      assert(!warning, `The build warns: ${warning}`);
      mark('built');
    }
    if (scripts.check) {
      await run(app, 'npm', ['run', 'check']);
      await requireTypeErrors(app, wrongCode[name]);
      mark('checked');
    }
    const port = await freePort();
    const server = spawnServer(app, 'npm', ['run', 'start'], {
      ...addresses,
      INLAY_API_KEY: apiKey,
      PORT: String(port),
    });
    const site = `http://localhost:${port}`;
    await waitForServer(site, server);
    await runStory(site, platform, differences[name]);
    await end(server.child);
    mark('story');
    passed += 1;
    console.log(`✔ ${name} (seconds: ${marks.join(', ')})`);
  } catch (error) {
    console.log(error.message);
    failures.push(failureLine('apps', { title: name, message: error.message }));
  }
  rmSync(app, { recursive: true, force: true });
}

/** Copies an application, and lets it use the packed packages. */
function install(name, app) {
  cpSync(join(apps, name), app, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist|\.\w+|package-lock\.json)$/.test(path),
  });
  const file = join(app, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const tarballs = Object.fromEntries(
    readdirSync(folder)
      .filter((entry) => entry.endsWith('.tgz'))
      .map((entry) => [
        `@inlay/${entry.replace(/^inlay-([a-z]+)-.*/, '$1')}`,
        `file:${join(folder, entry)}`,
      ]),
  );
  // npm rejects an override that differs from a direct dependency, so only the others are overridden.
  const direct = new Set(Object.keys(manifest.dependencies));
  const inner = Object.entries(tarballs).filter(([each]) => !direct.has(each));
  for (const each of direct)
    manifest.dependencies[each] = tarballs[each] ?? manifest.dependencies[each];
  manifest.overrides = { ...manifest.overrides, ...Object.fromEntries(inner) };
  writeFileSync(file, JSON.stringify(manifest));
}

/** Requires that the type check reports every wrong option and event of a file. */
async function requireTypeErrors(app, { file, code, errors }) {
  const path = join(app, file);
  writeFileSync(path, code);
  const output = await run(app, 'npm', ['run', 'check']).then(
    () => '',
    (error) => error.message,
  );
  rmSync(path);
  const missing = errors.filter((text) => !output.includes(text));
  assert.deepEqual(missing, [], `The type check reports every error of ${file}:\n${output}`);
}

/** Runs the story that every application must pass. */
async function runStory(site, { client }, { open, answers = 'inlay-agent-message' } = {}) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on('console', (message) => {
      // Chromium reports each 401 and 403, which are a part of this story.
      const isStatus = /status of 40[13]/.test(message.text());
      if (['warning', 'error'].includes(message.type()) && !isStatus) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => {
      const { errorText } = request.failure() ?? {};
      if (errorText !== 'net::ERR_ABORTED') problems.push(`${request.url()}: ${errorText}`);
    });
    let tokenRequests = 0;
    page.on('request', (request) => {
      if (request.url().startsWith(`${site}/api/chat-token`)) tokenRequests += 1;
    });

    await page.goto(site);
    if (open) await page.getByRole('button', { name: open }).click();
    const field = page.getByRole('textbox', { name: /message/i });
    const ask = async (text, expected) => {
      await field.fill(text);
      await field.press('Enter');
      await expect(page.locator(answers).filter({ hasText: 'the answer.' })).toHaveCount(expected, {
        timeout: 30_000,
      });
    };
    await ask('Hello', 1);
    if (answers.startsWith('inlay')) {
      await expect(page.locator(answers).locator('strong')).toHaveText('Ada');
    }
    assert.equal(tokenRequests, 1, 'one token is requested for the first message');

    const { data } = await client.embedTokens.list({ external_user_id: 'ada', limit: 1 });
    await client.embedTokens.expire(data[0].id);
    await ask('And again', 2);
    assert.equal(tokenRequests, 2, 'an expired token is replaced once');

    await client.endUsers.block('demo', 'ada');
    await expect(page.getByText(/your access/i).first()).toBeVisible({ timeout: 30_000 });
    assert.deepEqual(problems, [], 'the page reports no problems');
  } finally {
    await client.endUsers.unblock('demo', 'ada').catch(() => {});
    await browser.close();
  }
}

/** Starts the built platform with one agent, whose answer is known. */
async function startPlatform() {
  const config = join(folder, 'inlay.config.json');
  const agent = {
    short_id: 'demo',
    name: 'Demo agent',
    model: { provider: 'scripted', script: [{ say: answer }] },
    embed: { allowed_origins: ['http://localhost:*'] },
  };
  writeFileSync(config, JSON.stringify({ agents: [agent] }));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const program = join(root, 'packages/server/dist/inlay-server.js');
  const server = spawnServer(folder, process.execPath, [program], {
    PORT: String(port),
    INLAY_DATA: 'memory',
    INLAY_CONFIG: config,
    INLAY_API_KEY: apiKey,
  });
  await waitForServer(`${url}/meta/v1/health`, server);
  const node = pathToFileURL(join(root, 'packages/node/dist/index.js')).href;
  const { createPlatformClient } = await import(node);
  return { url, client: createPlatformClient({ baseUrl: url, apiKey }) };
}

function spawnServer(cwd, command, parameters, more) {
  const child = spawn(command, parameters, {
    cwd,
    env: { ...env, HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, because npm does not forward signals.
    detached: true,
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  started.push(child);
  return { child, log: () => Buffer.concat(output).toString().slice(-6000) };
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
}

async function waitForServer(url, { child, log }) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await delay(100);
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

/** Runs a command and returns its output. Rejects with the output if the command fails. */
async function run(cwd, command, parameters, more = {}) {
  const child = spawn(command, parameters, {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const [status] = await once(child, 'close');
  const text = Buffer.concat(output).toString();
  if (status === 0) return text;
  throw new Error(`${command} ${parameters.join(' ')} failed:\n${text.slice(-6000)}`);
}
