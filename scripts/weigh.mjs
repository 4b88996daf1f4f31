/** What a browser has to fetch, brotli-compressed: for the budgets and for the bench. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const web = 'packages/server/web';

/** The file of the script tag. */
export const loader = join(web, 'inlay.js');

/** The file that a script tag loads when the chat is wanted. */
export const chat = () => chunk('launch-');

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
      what: 'the chat of a script tag, once it is wanted',
      bytes: weigh(closure(chat())),
      aim: 45_000,
      // It does not meet its aim yet, and this keeps it from growing on the way there.
      budget: 47_000,
    },
    ...(await weighClient()),
  ];
}

/**
 * The client, and what it loads only when it is called for. The dynamic part is what comes on top:
 * modules that the client has anyway are left out of it, as a bundler leaves them out.
 */
async function weighClient() {
  const entry = 'packages/client/src/index.ts';
  const diagnosis = 'packages/client/src/lib/diagnose/diagnose.ts';
  const client = await bundle(entry, (id) => /diagnose\/diagnose\.ts$/.test(id));
  const known = new Set(client.moduleIds);
  const lazy = await bundle(diagnosis, (id, from) =>
    known.has(from ? resolve(dirname(from), id) : id),
  );
  return [
    { what: '@inlay/client with its dependencies', bytes: brotli(client), budget: 14_000 },
    { what: 'what diagnose() loads when it is called', bytes: brotli(lazy), budget: 7_500 },
  ];
}

/** @param {{ code: string }} chunk */
const brotli = ({ code }) => brotliCompressSync(code).length;

/**
 * A module and everything that it imports statically, but for what is named as external.
 *
 * @param {string} entry
 * @param {(id: string, from: string | undefined) => boolean} external
 */
async function bundle(entry, external) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      minify: true,
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
