/**
 * `npm run size`: compares the bytes and requests until the first answer is on screen with their
 * limits. An exceeded limit is a failed test.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { measureLoads } from './size/measure-loads.mjs';
import { limits, targets } from './size/size-limits.mjs';

const web = 'packages/server/web';
const launch = readdirSync(join(web, 'assets')).find((name) => /^launch-.*\.js$/.test(name));
const chat = readFileSync(join(web, 'assets', launch), 'utf8');
const formatSize = ({ bytes, requests }) => `${(bytes / 1000).toFixed(2)} kB in ${requests}`;

const loads = await measureLoads();
const checks = Object.entries(limits).map(([name, limit]) => {
  const { description, bytes, requests } = loads[name];
  const target = targets[name] ? `, target ${formatSize(targets[name])}` : '';
  return {
    description: `${description}: ${formatSize(loads[name])} (limit ${formatSize(limit)}${target})`,
    ok: bytes <= limit.bytes && requests <= limit.requests,
  };
});
const globals = globalsDefinedBy(readFileSync(join(web, 'inlay.js'), 'utf8'));
checks.push(
  {
    description: 'no loaded file imports inlay.js',
    ok: loads.scriptTag.files.filter((file) => file === 'inlay.js').length === 1,
  },
  {
    description: 'the style sheets and templates of the chat are minified',
    ok: !/\n {2}/.test(chat),
  },
  {
    description: 'the chat has the hint to compile it during the fetch',
    ok: chat.startsWith('//# allFunctionsCalledOnLoad\n'),
  },
  { description: 'inlay.js defines no global variable', ok: globals.length === 0 },
);

/** Runs a script without a script element. Returns the global variables that the script defines. */
function globalsDefinedBy(source) {
  const page = {
    document: { currentScript: null, querySelector: () => null },
    HTMLScriptElement: class {},
  };
  const before = Object.keys(page);
  runInNewContext(source, page);
  return Object.keys(page).filter((name) => !before.includes(name));
}

for (const { description, ok } of checks) console.log(`${ok ? '✔' : '✘'} ${description}`);

const failed = checks.filter(({ ok }) => !ok).length;
const folder = process.env.INLAY_TEST_RESULTS;
if (folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'size.json'),
    JSON.stringify({
      passed: checks.length - failed,
      failed,
      failures: checks
        .filter(({ ok }) => !ok)
        .map(({ description }) => ({ file: '', title: description, message: '' })),
    }),
  );
}
process.exit(failed === 0 ? 0 : 1);
