import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
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

/** Where a coding agent starts, in `llms.txt`. */
const forAgents = `To put a chat into an application, read in this order:

1. [Quick start](${base}quick-start.md): a new application with one command, or the platform for an application that exists.
2. The guide of its framework: packages, files, and how to start them.
3. [A backend in Node](${base}backends/node.md), or that of another language: sign-in with a session, sign-out, the page.
4. [When the chat does not work](${base}troubleshooting.md).

All pages are Markdown files on this site. [llms-full.txt](${base}llms-full.txt) has the guides in one file.`;

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default defineConfig({
  title: 'Inlay',
  description: 'An AI agent in your product, as your user, under your control.',
  lang: 'en',
  base,
  cacheDir: pathOf('../dist/cache'),
  outDir: pathOf('../dist/site'),
  // The quick starts include the section about models.
  srcExclude: ['dist/**', 'quick-start/connect-a-model.md'],
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
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    // For coding agents: `llms.txt`, `llms-full.txt`, and a Markdown file beside each page.
    plugins: [
      llmstxt({
        title: 'Inlay',
        details: forAgents,
        ignoreFilesPerOutput: {
          llmsTxt: ['adr/0*'],
          llmsFullTxt: ['adr/*', 'conformance.md', 'api/*'],
        },
      }),
    ],
  },
});
