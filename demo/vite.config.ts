import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const pages = here('pages');
const pageNames = [
  'script-tag',
  'npm',
  'react',
  'headless',
  'anonymous',
  'hosted',
  'themes',
  'desk',
  'lounge',
  'configure',
];

/** Pages with a scripted platform, on which the failures of the demo have no effect. */
const pagesWithoutFailures = ['/configure'];

/**
 * Inserts each page into the layout. A page is an HTML fragment that starts with its `<title>`.
 * `<!-- include ./x.html -->` inserts a file, whose code the page also shows.
 */
function layout(): Plugin {
  const read = (file: string) => readFileSync(join(pages, file), 'utf8');
  const include = (html: string, folder: string) =>
    html.replace(/<!-- include (\S+) -->/g, (_, file: string) =>
      readFileSync(join(folder, file), 'utf8').trim(),
    );
  return {
    name: 'layout',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename }) {
        const [, title = '', content = ''] = /^<title>(.*?)<\/title>\s*([\s\S]*)$/.exec(html) ?? [];
        const folder = dirname(filename);
        const path = folder === pages ? '/' : `/${folder.slice(pages.length + 1)}`;
        return read('shared/layout.html')
          .replace('{{title}}', title)
          .replace(`href="${path}"`, `href="${path}" aria-current="page"`)
          .replace(/<aside[\s\S]*<\/aside>/, (failures) =>
            pagesWithoutFailures.includes(path) ? '' : failures,
          )
          .replace('{{content}}', () => include(content, folder));
      },
    },
  };
}

/** Builds the pages of the host site, without inline code, for a strict CSP. */
export default defineConfig({
  root: pages,
  publicDir: here('public'),
  plugins: [layout()],
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    // Older targets would rewrite `light-dark()`, which does not work in custom properties.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    // `data:` URLs would need a wider policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Suppresses warnings about slow plugins and about `'use client'`, which has no effect here.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      input: {
        index: join(pages, 'index.html'),
        'minimal-csp': join(pages, 'minimal-csp/index.html'),
        ...Object.fromEntries(pageNames.map((name) => [name, join(pages, name, 'index.html')])),
      },
    },
  },
});
