/** What a browser has to fetch, brotli-compressed: for the budgets and for the bench. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { browsers } from './browsers.mjs';
import { minifyAgain } from './minify-again.mjs';

const web = 'packages/server/web';

/** The file of the script tag. */
export const loader = join(web, 'inlay.js');

/** The file that a script tag loads when the chat is wanted. */
export const chat = () => chunk('launch-');

/** What the chat fetches as soon as its field is there, by the names of files, without what it has. */
function fetchedNext(...names) {
  const before = closure(chat());
  const after = names.flatMap((name) => [...closure(ownChunk(name))]);
  return new Set(after.filter((file) => !before.has(file)));
}

/** The chat's file of this name. The hosted page has one of its own. */
function ownChunk(name) {
  const folder = join(web, 'assets');
  const files = readdirSync(folder).filter((file) => new RegExp(`^${name}-.*\\.js$`).test(file));
  const own = files.map((file) => join(folder, file)).find((file) => closure(file).has(chat()));
  if (!own) throw new Error(`The file ${name} of the chat is missing.`);
  return own;
}

/**
 * Files that a page fetches for an entry: it, and everything that it imports statically.
 *
 * @param {string} file
 * @param {Set<string>} [seen]
 */
export function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, specifier] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    closure(join(dirname(file), specifier), seen);
  }
  return seen;
}

/**
 * Bytes of all the files together, each compressed by itself, as they are sent.
 *
 * @param {Iterable<string>} files
 */
export function weigh(files) {
  return [...files].reduce((sum, file) => sum + brotliCompressSync(readFileSync(file)).length, 0);
}

/** Every weight that has a budget, in bytes. Needs the files of `npm run build:web`. */
export async function weighAll() {
  return [
    { what: 'inlay.js, before anybody wants the chat', bytes: weigh([loader]), budget: 4_000 },
    {
      what: 'the chat of a script tag, once it is wanted: the first message can be written',
      bytes: weigh(closure(chat())),
      budget: 45_000,
    },
    {
      what: 'what draws it and its answer, fetched once the field is there',
      bytes: weigh(fetchedNext('conversation', 'markdown')),
      budget: 35_000,
    },
    {
      what: 'what greets before anything is said, tells and answers after: fetched with it',
      bytes: weigh(fetchedNext('after-field')),
      budget: 3_600,
    },
    ...(await weighClient()),
  ];
}

/** What the client loads when it is called for, and not before. */
const onDemand = [
  { what: 'what diagnose() loads when it is called', file: 'diagnose/diagnose.ts', budget: 7_500 },
  { what: 'what reads a date in Retry-After', file: 'http/http-date.ts', budget: 400 },
  { what: 'what is loaded to upload or read a file', file: 'files/files.ts', budget: 1_400 },
  {
    what: 'what is loaded to list, change, export or forget conversations',
    file: 'sessions/own-sessions.ts',
    budget: 700,
  },
  {
    what: 'what is loaded with a conversation, to read it and tell it',
    file: 'conversation/story.ts',
    budget: 11_000,
  },
  {
    what: 'what is loaded where streams are held back',
    file: 'stream/log-follower.ts',
    budget: 1_000,
  },
];

/**
 * The client, and what it loads on demand. The latter is what comes on top: modules that the client
 * has anyway are left out of it, as a bundler leaves them out.
 */
async function weighClient() {
  const folder = resolve('packages/client/src/lib');
  const files = onDemand.map(({ file }) => join(folder, file));
  const pathOf = (id, from) => (from ? resolve(dirname(from), id) : id);
  const client = await bundle('packages/client/src/index.ts', (id, from) =>
    files.includes(pathOf(id, from)),
  );
  const known = new Set(client.moduleIds);
  const late = new Set();
  const weights = [
    {
      what: '@inlay/client with its dependencies',
      bytes: brotli(client),
      budget: 14_500,
    },
  ];
  for (const { what, file, budget } of onDemand) {
    const lazy = await bundle(join(folder, file), (id, from) => {
      const path = pathOf(id, from);
      return known.has(path) || (from !== undefined && files.includes(path));
    });
    for (const id of lazy.moduleIds) {
      if (late.has(id)) throw new Error(`${id} is in two late parts of the client: ${remedy}`);
      late.add(id);
    }
    weights.push({ what, bytes: brotli(lazy), budget });
  }
  return weights;
}

/** A bundler puts what two files share into a third, and no retry of the first mends that one's. */
const remedy = 'have one of them get it from the other, or load it at once.';

/** @param {{ code: string }} chunk */
const brotli = ({ code }) => brotliCompressSync(code).length;

/**
 * A module and everything that it imports statically, but for what is named as external. It is made
 * small as `npm run build:web` makes the chat of a script tag small, in which it ships.
 *
 * @param {string} entry
 * @param {(id: string, from: string | undefined) => boolean} external
 */
async function bundle(entry, external) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [minifyAgain()],
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      target: browsers,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external, output: { codeSplitting: false, minify: true } },
    },
  });
  return result[0].output[0];
}

/** @param {string} prefix */
function chunk(prefix) {
  const folder = join(web, 'assets');
  const found = readdirSync(folder).find((name) => name.startsWith(prefix) && name.endsWith('.js'));
  return join(folder, found ?? `${prefix} is missing`);
}
