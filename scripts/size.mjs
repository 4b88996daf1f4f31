/**
 * `npm run size`: what a browser has to fetch, brotli-compressed, against the budgets. A budget that
 * is broken is a failed test.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { chat, closure, loader, weighAll } from './weigh.mjs';

const loaderSource = readFileSync(loader, 'utf8');
const kB = (bytes) => bytes / 1000;
const checks = (await weighAll()).map(({ what, bytes, budget }) => ({
  what: `${what}: ${kB(bytes).toFixed(2)} kB brotli of ${kB(budget)}`,
  ok: bytes <= budget,
}));
checks.push(
  {
    what: 'inlay.js is one file that imports nothing before it is wanted',
    ok: closure(loader).size === 1,
  },
  {
    what: 'nothing that is loaded imports inlay.js again',
    ok: [...closure(chat())].every((file) => basename(file) !== 'inlay.js'),
  },
  {
    what: 'the style sheets and templates of the chat are minified',
    ok: !/\n {2}/.test(readFileSync(chat(), 'utf8')),
  },
  {
    what: 'the chat declares its properties without decorators',
    ok: !/Reflect\.decorate/.test(readFileSync(chat(), 'utf8')),
  },
  {
    what: 'browsers are told to compile the chat while they fetch it',
    ok: readFileSync(chat(), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'),
  },
  {
    what: 'inlay.js leaves no name behind on the page',
    ok: namesLeftBy(loaderSource).length === 0,
  },
);
/** Runs a script as one that no page has put there, and tells which globals it has made. */
function namesLeftBy(source) {
  const page = { document: { currentScript: null }, HTMLScriptElement: class {} };
  const before = Object.keys(page);
  runInNewContext(source, page);
  return Object.keys(page).filter((name) => !before.includes(name));
}

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
