import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { resolveLinks, slugOf } from './links.mjs';
import { nav, sidebar } from './navigation.mjs';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Path below which the site is served, with slashes at both ends. */
const base = process.env.DOCS_BASE ?? '/';

/** Allows line breaks after the slashes of inline code, so that long paths fit into table cells. */
function breakPaths(markdown) {
  const { rules } = markdown.renderer;
  const render = rules.code_inline;
  rules.code_inline = (...parameters) =>
    render(...parameters).replace(/>([^<]*)</, (_, code) => `>${code.replaceAll('/', '/<wbr>')}<`);
}

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default defineConfig({
  title: 'Inlay',
  description: "Put an AI agent inside someone else's web page, safely.",
  lang: 'en',
  base,
  cacheDir: pathOf('../dist/cache'),
  outDir: pathOf('../dist/site'),
  srcExclude: ['dist/**'],
  // Broken links fail the build, except URLs of a local server in examples.
  ignoreDeadLinks: 'localhostLinks',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }],
    ['meta', { name: 'theme-color', content: '#3a53d0' }],
  ],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    languageAlias: { caddy: 'nginx' },
    config: (markdown) => {
      resolveLinks(markdown);
      breakPaths(markdown);
    },
  },
  themeConfig: {
    logo: '/mark.svg',
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: true } },
    footer: { message: 'MIT licence' },
  },
  vue: {
    template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('inlay-') } },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
});
