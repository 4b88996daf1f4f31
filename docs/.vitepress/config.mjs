import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { resolveLinks, slugOf } from './links.mjs';
import { nav, sidebar } from './navigation.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Path below which the site is served, with slashes at both ends. */
const base = process.env.DOCS_BASE ?? '/';

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default defineConfig({
  title: 'Inlay',
  description: "Put an AI agent inside someone else's web page, safely.",
  lang: 'en',
  base,
  cacheDir: here('../dist/cache'),
  outDir: here('../dist/site'),
  srcExclude: ['dist/**'],
  // A dead link fails the build. Addresses of a local server in examples are not links of the site.
  ignoreDeadLinks: 'localhostLinks',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }],
    ['meta', { name: 'theme-color', content: '#3a53d0' }],
  ],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    languageAlias: { caddy: 'nginx' },
    config: resolveLinks,
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
