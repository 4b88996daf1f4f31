import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const chunkPath = /\/chunks\/([\w-]+\.js)$/;
/** A test, and what one loads a second time by its address. */
const testPath = /\.test\.tsx?$|\/src\/define\.ts$/;

/**
 * A plugin of web-test-runner that serves a test with all that it imports in one file, which a page
 * loads many times faster than hundreds of modules, and which takes React too, that is CommonJS.
 * What is imported on demand comes on demand here too, in files of their own.
 */
export function bundleTests() {
  const chunks = new Map();
  const tests = new Map();

  async function bundle(path) {
    const { outputFiles } = await build({
      entryPoints: [`${root}${path.slice(1)}`],
      outdir: `${root}bundled`,
      entryNames: 'test',
      chunkNames: 'chunks/[hash]',
      bundle: true,
      splitting: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      sourcemap: 'inline',
      sourcesContent: false,
      conditions: ['source', 'development', 'browser'],
      define: { 'process.env.NODE_ENV': '"development"' },
      tsconfig: `${root}packages/elements/tsconfig.json`,
    });
    for (const { path: file, text } of outputFiles) chunks.set(basename(file), text);
    return outputFiles.find(({ path: file }) => basename(file) === 'test.js').text;
  }

  return {
    name: 'bundle-tests',
    serverStart({ fileWatcher }) {
      fileWatcher.on('change', () => tests.clear());
    },
    async serve({ path }) {
      const chunk = chunkPath.exec(path);
      if (chunk) return { body: chunks.get(chunk[1]), type: 'js' };
      if (!testPath.test(path)) return;
      if (!tests.has(path)) tests.set(path, bundle(path));
      return { body: await tests.get(path), type: 'js' };
    },
  };
}
