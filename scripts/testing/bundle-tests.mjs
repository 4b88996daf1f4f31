import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundledPath = /\.test\.tsx?$|\/src\/define(-all)?\.ts$/;

/**
 * A Web Test Runner plugin that serves bundled tests: a page loads a bundle many times faster than
 * hundreds of modules, and bundling converts CommonJS modules such as React. Dynamic imports become
 * separate chunks.
 *
 * @param {readonly string[]} tests - Glob patterns for esbuild. All matching tests are bundled
 *   together, which takes little longer than bundling one.
 */
export function bundleTests(tests) {
  /** Served files: text by path. */
  const texts = new Map();
  const bundles = new Map();

  /** Creates a bundle, unless it exists. Each bundle has its own chunks. */
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
      const outputPath = path.replace(/\.tsx?$/, '.js');
      if (bundledPath.test(path)) {
        // If one test cannot be bundled, each test is bundled separately.
        await bundle('tests', tests).catch(() => {});
        if (!texts.has(outputPath)) await bundle(path, [path.slice(1)]);
      }
      const body = texts.get(outputPath);
      return body === undefined ? undefined : { body, type: path.endsWith('.map') ? 'json' : 'js' };
    },
  };
}
