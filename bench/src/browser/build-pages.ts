import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { compileHint, inTwoChunks } from '../../../scripts/build/chunks.mjs';
import { minifiedTwice } from '../../../scripts/build/minified-twice.mjs';
import { minifyTemplates } from '../../../scripts/build/minify-templates.mjs';
import { temporaryFolder } from '../lib/temporary-folder.ts';

export type PageName = 'baseline' | 'widget';

const pages = fileURLToPath(new URL('pages', import.meta.url));
let built: Promise<string> | undefined;

/** Builds the scripts of the pages once per run, and returns their folder. */
export function buildPages(): Promise<string> {
  built ??= buildAll();
  return built;
}

async function buildAll(): Promise<string> {
  const folder = temporaryFolder('pages');
  // The pages are built separately, so that they share no chunks.
  for (const name of ['baseline', 'widget'] as const) await buildPage(name, folder);
  return folder;
}

async function buildPage(name: PageName, folder: string): Promise<void> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: pages,
    base: './',
    // The same plugins and minifiers as `npm run build:web` uses for the script tag.
    plugins: [minifyTemplates()],
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      ...minifiedTwice(),
      modulePreload: false,
      rolldownOptions: {
        input: join(pages, `${name}.ts`),
        preserveEntrySignatures: 'allow-extension',
        checks: { bundlerTimings: false },
        output: {
          entryFileNames: `${name}.js`,
          chunkFileNames: `${name}-[name]-[hash].js`,
          codeSplitting: inTwoChunks(new RegExp(`pages/${name}.ts$`)),
          postBanner: compileHint,
          minify: true,
          // The first statement of the script starts the measurement.
          banner: (chunk) => (chunk.isEntry ? 'performance.mark("script");' : ''),
        },
      },
    },
  });
  const chunks = 'output' in result ? result.output : [];
  const entry = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry?.type !== 'chunk' || entry.imports.length > 0) {
    throw new Error(`${name}.js imports other files before its first statement.`);
  }
}
