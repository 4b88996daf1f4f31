import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundledPath = /\.test\.tsx?$|\/src\/define(-all)?\.ts$/;

/**
 * A plugin of web-test-runner that serves a test with what it imports in few files, which a page
 * loads many times faster than hundreds of modules, and which takes React too, that is CommonJS.
 * What is imported on demand comes on demand here too, in files of their own.
 *
 * @param {readonly string[]} tests Patterns of esbuild's. What they find is bundled at once, which
 *   takes little longer than one test does.
 */
export function bundleTests(tests) {
  /** The text of everything that is served, by its path. */
  const texts = new Map();
  const bundles = new Map();

  /** Bundles once. No two bundles share a file, so that a page that loads two has two copies. */
  function bundle(name, entryPoints) {
    if (!bundles.has(name)) bundles.set(name, write(entryPoints, `${bundles.size}`));
    return bundles.get(name);
  }

  async function write(entryPoints, folder) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints,
      outdir: root,
      outbase: root,
      chunkNames: `chunks/${folder}/[hash]`,
      bundle: true,
      splitting: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      sourcemap: 'linked',
      sourcesContent: false,
      conditions: ['source', 'development', 'browser'],
      define: { 'process.env.NODE_ENV': '"development"' },
      tsconfig: 'packages/elements/tsconfig.json',
    });
    for (const { path, text } of outputFiles) texts.set(`/${relative(root, path)}`, text);
  }

  return {
    name: 'bundle-tests',
    serverStart({ fileWatcher }) {
      fileWatcher.on('change', () => {
        texts.clear();
        bundles.clear();
      });
    },
    async serve({ path }) {
      const written = path.replace(/\.tsx?$/, '.js');
      if (bundledPath.test(path)) {
        // Where one test can't be bundled, the others are all the same: each by itself.
        await bundle('tests', tests).catch(() => {});
        if (!texts.has(written)) await bundle(path, [path.slice(1)]);
      }
      const body = texts.get(written);
      return body === undefined ? undefined : { body, type: path.endsWith('.map') ? 'json' : 'js' };
    },
  };
}
