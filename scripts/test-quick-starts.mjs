/**
 * `npm run test:quick-starts`: follows the quick starts of the guides word for word, each from an empty
 * folder. Runs their commands, writes their files, sends a message in a browser, and prints how long
 * each quick start took. Differences: the packages come from this checkout instead of the registry, and
 * the servers have other ports.
 *
 * `npm run test:quick-starts -- react next` follows only the named quick starts. With `--times` it follows each
 * twice, first with an empty npm cache, then with the filled one, and prints the table of
 * `docs/quick-start/index.md`.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, expect } from '@playwright/test';
import { chromiumFlags, findChromium } from './find-chromium.mjs';
import {
  end,
  endAll,
  freePort,
  packPackages,
  run,
  spawnServer,
  startPlatform,
  waitForServer,
} from './testing/processes.mjs';
import { failureLine } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';

const guides = fileURLToPath(new URL('../docs/quick-start', import.meta.url));

/** Functions that insert a code block into a file of the framework's template, by the file's path. */
const insertions = {
  'index.html': (file, code) => file.replace(/<body>[\s\S]*<\/body>/, () => code),
};

const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
const folder = mkdtempSync(join(tmpdir(), 'inlay-quick-starts-'));
const { positionals: chosen, values: options } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'boolean', default: false } },
});
let passed = 0;
const failures = [];
/** Rows of the table of times. */
const rows = [];
try {
  const tarballs = await packPackages(folder);
  for (const name of chosen.length > 0 ? chosen : guideNames()) {
    if (!options.times) await test(name, tarballs);
    else {
      const cache = { npm_config_cache: join(folder, `${name}-npm-cache`) };
      const times = [await test(name, tarballs, cache), await test(name, tarballs, cache)];
      rows.push(`| ${[`[${titleOf(name)}](${name}.md)`, ...times.map(minutes)].join(' | ')} |`);
    }
  }
} catch (error) {
  console.log(error.message);
  failures.push(failureLine('quick-starts', { title: 'preparation', message: error.message }));
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
if (rows.length > 0) console.log(['', ...tableHead(), ...rows].join('\n'));
summarize('quick-starts', { passed, failed: failures.length, lines: failures });
process.exit(failures.length === 0 ? 0 : 1);

/** The names of all guides, in the order of the table of the index page. */
function guideNames() {
  const index = readFileSync(`${guides}/index.md`, 'utf8');
  const linked = [...index.matchAll(/\]\(([a-z]+)\.md\)/g)].map(([, name]) => name);
  return [...new Set(linked)];
}

/** The first heading of a guide. */
function titleOf(name) {
  return /^# (.*)$/m.exec(readFileSync(`${guides}/${name}.md`, 'utf8'))[1];
}

function tableHead() {
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  return [
    `Minutes from the empty folder to the first answer: ${machine}`,
    '',
    '| guide | empty npm cache | filled npm cache |',
    '|---|---|---|',
  ];
}

/** Formats seconds as minutes and seconds, such as “1:05”; a guide that failed has no time. */
function minutes(seconds) {
  if (seconds === null) return 'failed';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Follows one quick start. Never rejects.
 *
 * @param {Record<string, string>} variables Environment variables of npm.
 * @returns {Promise<number | null>} Seconds from the empty folder to the answer; null if it failed.
 */
async function test(name, tarballs, variables = {}) {
  const servers = [];
  const emptyFolder = mkdtempSync(join(folder, `${name}-`));
  let cwd = emptyFolder;
  let seconds = null;
  try {
    const platform = await startPlatform(folder, { INLAY_API_KEY: apiKey });
    const backend = String(await freePort());
    /** Replaces the ports and the API key of the guide by those of this test. */
    const adapted = (code) =>
      code
        .replaceAll('http://localhost:8787', platform)
        .replaceAll(/localhost:3000|listen\(3000\)/g, (text) => text.replace('3000', backend))
        .replaceAll('sk-service-…', apiKey);

    const start = Date.now();
    for (const { language, code, text } of steps(readFileSync(`${guides}/${name}.md`, 'utf8'))) {
      if (language !== 'sh') {
        const path = pathIn(text);
        mkdirSync(dirname(join(cwd, path)), { recursive: true });
        const isInsertion = /^(?:Add .*|Replace the body of) `/m.test(text);
        const file = isInsertion ? readFileSync(join(cwd, path), 'utf8') : '';
        const content = isInsertion ? insertions[path](file, adapted(code)) : adapted(code);
        writeFileSync(join(cwd, path), content);
        continue;
      }
      for (const command of adapted(code).split('\n')) {
        const [, target] = /^cd (.*)$/.exec(command) ?? [];
        if (target) cwd = join(cwd, target);
        else if (/^INLAY_API_KEY=|^npm (?:run dev|start)\b/.test(command)) {
          // A server, which another terminal would run. `exec` makes the shell that process.
          const line = command.replace(/^(\w+=\S+ )?/, '$1exec ');
          servers.push(spawnServer(cwd, 'sh', ['-c', line], { ...variables, PORT: backend }));
        } else {
          // npm asks whether it may install a program that creates an application.
          const answers = { ...variables, npm_config_yes: 'true' };
          await run(cwd, 'sh', ['-c', withTarballs(command, tarballs)], answers);
        }
      }
    }
    await sendMessage(await addressOf(servers.at(-1), `http://localhost:${backend}`));
    passed += 1;
    seconds = Math.round((Date.now() - start) / 1000);
    console.log(`✔ ${name} (${seconds} s)`);
  } catch (error) {
    console.log(`${name}: ${error.message}\n${servers.map(({ log }) => log()).join('\n')}`);
    failures.push(failureLine('quick-starts', { title: name, message: error.message }));
  }
  for (const { child } of servers) await end(child);
  rmSync(emptyFolder, { recursive: true, force: true });
  return seconds;
}

/** The code blocks of a guide up to the end of the section “Try it”, each with the text above it. */
function steps(markdown) {
  const [, afterLast = ''] = markdown.split(/^## \d\. Try it$/m);
  const guide = markdown.slice(
    0,
    markdown.length - afterLast.replace(/^[\s\S]*?(?=^## )/m, '').length,
  );
  return [...guide.matchAll(/([\s\S]*?)^```(\w+)\n([\s\S]*?)\n```$/gm)].map(
    ([, text, language, code]) => ({ text, language, code }),
  );
}

/** The path of the file that the last instruction of a text names. */
function pathIn(text) {
  const instructions = text.matchAll(
    /(?:Save this as|Replace|Change|Replace the body of|Add .* to) `([^`]+)`/g,
  );
  const path = [...instructions].at(-1)?.[1];
  assert(path, `The guide does not say where this belongs:${text}`);
  return path;
}

/**
 * Replaces the packages in an `npm install` command by tarballs of this checkout, and adds the packages
 * that they depend on (“From a checkout” in README.md).
 */
function withTarballs(command, tarballs) {
  if (!/^npm install .*@inlay\//.test(command)) return command;
  const inlayPackages = new Set(command.match(/@inlay\/\w+/g));
  const others = command.replaceAll(/ @inlay\/\w+/g, '');
  const dependencies = ['protocol', 'client'].map((each) => `@inlay/${each}`);
  return `${others} ${[...dependencies, ...inlayPackages].map((each) => tarballs[each]).join(' ')}`;
}

/**
 * Waits until the application responds. Returns the address that its server has printed, or else the
 * default address.
 */
async function addressOf(server, defaultAddress) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && server.child.exitCode === null) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: development servers print in colours.
    const output = server.log().replaceAll(/\x1b\[[\d;]*m/g, '');
    const [address] = /http:\/\/localhost:\d+/.exec(output) ?? [];
    const url = address ?? defaultAddress;
    if ((await fetch(url).catch(() => null))?.ok) {
      await waitForServer(url, server);
      return url;
    }
    await delay(100);
  }
  throw new Error(
    `The application does not respond at ${defaultAddress} or the address that it prints.`,
  );
}

/** Sends a message as a user of the page, and waits for the answer. */
async function sendMessage(url) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on('console', (message) => {
      const isProblem = ['warning', 'error'].includes(message.type());
      // The templates have no icon. Development servers load the development version of Lit, and
      // compile the token endpoint during its first request, which can take long.
      const isExpected =
        message.location().url.endsWith('/favicon.ico') ||
        /^Lit is in dev mode|has not started within/.test(message.text());
      if (isProblem && !isExpected) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url);
    const field = page.getByRole('textbox', { name: /message/i });
    const bubble = page.getByRole('button', { name: 'Open chat' });
    await expect(field.or(bubble).first()).toBeVisible({ timeout: 60_000 });
    if (await bubble.isVisible()) await bubble.click();
    await field.fill('Hello');
    await field.press('Enter');
    // The second item of the headless example is the answer.
    const answer = page.locator('inlay-agent-message, body > ul > li:nth-child(2)');
    await expect(answer.first()).toContainText(/\w{3}/, { timeout: 60_000 });
    assert.deepEqual(problems, [], `The page reported: ${problems.join('; ')}`);
  } finally {
    await browser.close();
  }
}
