/**
 * `npm run test:apps`: tests the applications in `demo/apps`, whose files the quick starts show, as a
 * developer would build them. For each, `create-inlay` copies it to a temporary folder. The packed packages and
 * the application's own dependencies are installed, types are checked, the application is built for production,
 * and one story runs in a browser, with the application's platform: a message is answered, the token is
 * replaced, and access ends.
 *
 * `npm run test:apps -- next` tests only the named applications.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, expect } from '@playwright/test';
import { chromiumFlags, findChromium } from './find-chromium.mjs';
import { freePort } from './free-port.mjs';
import {
  end,
  endAll,
  packPackages,
  run,
  spawnServer,
  startPlatform,
  waitForServer,
} from './testing/processes.mjs';
import { failureLine } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';
import { wrongCode } from './testing/wrong-code.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const apps = join(root, 'demo/apps');

/**
 * Differences between the applications: the button that opens the chat, and the selectors of answers, of
 * the user's messages, and of messages that were not sent. The latter two are for an interface of its own, in
 * which a user without access can still press the button.
 *
 * @type {Record<string, { open?: string, answers?: string, own?: { messages: string, failed: string } }>}
 */
const differences = {
  'script-tag': { open: 'Open chat' },
  headless: { answers: 'li.agent', own: { messages: 'li.user', failed: 'li.user.failed' } },
};

const answer = 'Hello **Ada**, this is the answer.';
const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;

const folder = mkdtempSync(join(tmpdir(), 'inlay-apps-'));
const { positionals: chosen } = parseArgs({ allowPositionals: true });
/** The packed packages by name. */
let tarballs = {};
let passed = 0;
/** One line per failed application. */
const failures = [];
try {
  tarballs = await packPackages(folder);
  const names = readdirSync(apps, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  for (const name of chosen.length > 0 ? chosen : names) {
    await test(name);
  }
} catch (error) {
  // The packages could not be built, or the platform did not start.
  console.log(error.message);
  failures.push(failureLine('apps', { title: 'preparation', message: error.message }));
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
summarize('apps', { passed, failed: failures.length, lines: failures });
process.exit(failures.length === 0 ? 0 : 1);

/** Tests one application. Never rejects. */
async function test(name) {
  const start = Date.now();
  const durations = [];
  const recordStep = (step) => durations.push(`${step} ${Math.round((Date.now() - start) / 1000)}`);
  const app = join(folder, name);
  try {
    await create(name, app);
    await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']);
    recordStep('installed');
    // A platform for each, because the chat resumes the user's last conversation.
    const platform = await startPlatformWithAgent(app);
    const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
    // Each framework has its own prefix for environment variables that a page can read.
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
      recordStep('built');
    }
    if (scripts.check) {
      await run(app, 'npm', ['run', 'check']);
      await requireTypeErrors(app, wrongCode[name]);
      recordStep('checked');
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
    recordStep('story');
    passed += 1;
    console.log(`✔ ${name} (seconds: ${durations.join(', ')})`);
  } catch (error) {
    console.log(error.message);
    failures.push(failureLine('apps', { title: name, message: error.message }));
  }
  rmSync(app, { recursive: true, force: true });
}

/** Creates an application, and replaces the packages in its manifest by the packed packages. */
async function create(framework, app) {
  const program = join(root, 'packages/create-inlay/dist/main.js');
  await run(folder, process.execPath, [program, app, '--framework', framework]);
  const file = join(app, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  // npm rejects an override that differs from a direct dependency, so only indirect dependencies are
  // overridden.
  const groups = [manifest.dependencies, manifest.devDependencies];
  const direct = new Set(groups.flatMap((group) => Object.keys(group)));
  const indirect = Object.entries(tarballs).filter(([name]) => !direct.has(name));
  for (const group of groups) {
    for (const name of Object.keys(group)) group[name] = tarballs[name] ?? group[name];
  }
  manifest.overrides = { ...manifest.overrides, ...Object.fromEntries(indirect) };
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
async function runStory(site, { client }, { open, answers = 'inlay-agent-message', own } = {}) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on('console', (message) => {
      // Chromium reports each 401 and 403 in the console. The story provokes both.
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
        timeout: 60_000,
      });
    };
    await ask('Hello', 1);
    if (answers.startsWith('inlay')) {
      await expect(page.locator(answers).locator('strong')).toHaveText('Ada');
    }
    assert.equal(tokenRequests, 1, 'The first message must request one token.');

    const { data } = await client.embedTokens.list({ external_user_id: 'ada', limit: 1 });
    await client.embedTokens.expire(data[0].id);
    await ask('And again', 2);
    assert.equal(tokenRequests, 2, 'An expired token must be replaced once.');

    await client.endUsers.block('demo', 'ada');
    await expect(page.getByText(/your access/i).first()).toBeVisible({ timeout: 60_000 });
    if (own) {
      for (const text of [' ', 'Too late']) {
        await field.fill(text);
        await field.press('Enter');
      }
      await expect(page.locator(own.failed)).toContainText(['Too late'], { timeout: 60_000 });
      // The two answered messages and this one.
      await expect(page.locator(own.messages)).toHaveCount(3);
    }
    assert.deepEqual(problems, [], `The page reported: ${problems.join('; ')}`);
  } finally {
    await client.endUsers.unblock('demo', 'ada').catch(() => {});
    await browser.close();
  }
}

/** Starts the platform of an application with one agent, whose answer is known. */
async function startPlatformWithAgent(app) {
  const agent = {
    short_id: 'demo',
    name: 'Demo agent',
    model: { provider: 'scripted', script: [{ say: answer }] },
    embed: { allowed_origins: ['http://localhost:*'] },
  };
  writeFileSync(join(app, 'inlay.config.json'), JSON.stringify({ agents: [agent] }));
  const url = await startPlatform(app, { INLAY_API_KEY: apiKey });
  const node = pathToFileURL(join(root, 'packages/node/dist/index.js')).href;
  const { createPlatformClient } = await import(node);
  return { url, client: createPlatformClient({ baseUrl: url, apiKey }) };
}
