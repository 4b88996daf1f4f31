/** Checks that the guides explain the public interface, and that their links and included files exist. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { languages } from '../../packages/elements/src/lib/i18n/languages.ts';
import { guides } from '../scripts/guides.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
describe('the links', () => {
  it.each([
    'README.md',
    'AGENTS.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'bench/README.md',
    'demo/README.md',
    ...guides(),
  ])('of %s lead to existing files', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)];
    const missing = links
      .map(([, link = '']) => join(dirname(path), link))
      .filter((target) => {
        try {
          read(target);
          return false;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code !== 'EISDIR';
        }
      });
    expect(missing).toEqual([]);
  });
});

describe('the Markdown files of the site', () => {
  it.each([
    [
      'https://github.com/someone/inlay',
      '[app](https://github.com/someone/inlay/blob/main/demo/apps/vue)',
    ],
    ['', 'app'],
  ])('link to files outside the documentation in the repository %s', async (url, app) => {
    vi.stubEnv('REPOSITORY_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.resetModules();
    const { withSiteLinks } = await import('../.vitepress/links.mjs');
    const guide = '[app](../../demo/apps/vue) [start](index.md#start) [API](../admin-api.md)';

    expect(withSiteLinks(guide)).toBe(
      `${app} [start](../quick-start.md#start) [API](../admin-api.md)`,
    );
  });
});

describe('code that the guides include', () => {
  const includingGuides = guides().filter((page) => /^<<< /m.test(read(page)));

  it('occurs only in the quick starts and the guides to backends in other languages', () => {
    // The other guides must also be readable in the repository, which does not show included code.
    const folders = new Set(includingGuides.map((page) => dirname(page)));
    expect([...folders]).toEqual(['docs/backends', 'docs/quick-start']);
  });

  it.each(includingGuides)('exists at each path that %s includes', (page) => {
    const files = [...read(page).matchAll(/^<<< (\S+)$/gm)].map(([, path = '']) => path);

    expect(files).not.toEqual([]);
    for (const file of files) expect(read(join(dirname(page), file))).toContain('\n');
  });

  const quickStarts = includingGuides.filter((page) => page.startsWith('docs/quick-start/'));
  it.each(quickStarts)('includes how to connect a model: %s', (page) => {
    expect(read(page)).toContain('<!--@include: ./connect-a-model.md-->');
  });
  it.each(quickStarts)('needs only packages of Inlay that %s installs', (page) => {
    const text = read(page);
    const [, app] = /\(\.\.\/\.\.\/(demo\/apps\/[\w-]+)\)/.exec(text) ?? [];
    const { dependencies } = JSON.parse(read(`${app}/package.json`));
    const installed = /^npm install (.+)$/m.exec(text)?.[1]?.split(' ') ?? [];
    const files = [...text.matchAll(/^<<< (\S+)$/gm)].map(([, path = '']) => path);
    const code = files.map((file) => read(join(dirname(page), file))).join('\n');
    const imported = [...code.matchAll(/from '(@inlay\/\w+)/g)].map(([, name = '']) => name);

    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(installed));
    expect(installed).toEqual(expect.arrayContaining(imported));
  });
});

describe('docs/languages.md', () => {
  it('lists exactly the languages of the elements', () => {
    const named = [...read('docs/languages.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(
      ([, tag]) => tag,
    );

    expect(named).toEqual([...languages]);
  });
});
