/**
 * `npm run size`: what a browser has to fetch, brotli-compressed, against the budgets. A budget that
 * is broken is a failed test.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const web = 'packages/server/web';

/** Files that a page fetches for an entry: it, and everything that it imports statically. */
function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, specifier] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    closure(join(dirname(file), specifier), seen);
  }
  return seen;
}

const brotli = (code) => brotliCompressSync(code).length;
const weigh = (files) => [...files].reduce((sum, file) => sum + brotli(readFileSync(file)), 0);

async function weighPackage(entry) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      minify: true,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
  return brotli(result[0].output[0].code);
}

const chunk = (prefix) =>
  join(
    web,
    'assets',
    readdirSync(join(web, 'assets')).find(
      (name) => name.startsWith(prefix) && name.endsWith('.js'),
    ) ?? `${prefix} is missing`,
  );
const loader = join(web, 'inlay.js');
const figures = [
  { what: 'inlay.js, before anybody wants the chat', bytes: weigh([loader]), budget: 4_000 },
  {
    what: 'the chat of a script tag, once it is wanted',
    bytes: weigh(closure(chunk('launch-'))),
    budget: 45_000,
  },
  {
    what: '@inlay/client with its dependencies',
    bytes: await weighPackage('packages/client/src/index.ts'),
    budget: 14_000,
  },
];

const loaderSource = readFileSync(loader, 'utf8');
const checks = figures.map(({ what, bytes, budget }) => ({
  what: `${what}: ${(bytes / 1000).toFixed(2)} kB brotli of ${(budget / 1000).toFixed(0)} kB`,
  ok: bytes <= budget,
}));
checks.push(
  {
    what: 'inlay.js is one file that imports nothing before it is wanted',
    ok: closure(loader).size === 1,
  },
  {
    what: 'nothing that is loaded imports inlay.js again',
    ok: [...closure(chunk('launch-'))].every((file) => basename(file) !== 'inlay.js'),
  },
  {
    what: 'inlay.js leaves no name behind on the page',
    ok: /^\(function\(\)\{[\s\S]*\}\)\(\);?\s*$/.test(loaderSource),
  },
);
for (const { what, ok } of checks) console.log(`${ok ? '✔' : '✘'} ${what}`);

const failed = checks.filter(({ ok }) => !ok).length;
const folder = process.env.INLAY_TEST_RESULTS;
if (folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'size.json'),
    JSON.stringify({ passed: checks.length - failed, failed }),
  );
}
process.exit(failed === 0 ? 0 : 1);
