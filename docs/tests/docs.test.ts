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
  /** Rewrites a page as the build does, for a site below a path, from a repository with this URL. */
  const rewrite = async (page: string, text: string, { base = '/', repository = '' } = {}) => {
    vi.stubEnv('REPOSITORY_URL', repository);
    vi.stubEnv('DOCS_BASE', base);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.resetModules();
    const { withSiteLinks } = await import('../.vitepress/links.mjs');
    const frontMatter = `---\nurl: ${base}${page}\n---\n`;
    return withSiteLinks(frontMatter + text).slice(frontMatter.length);
  };

  it('link to files outside the documentation in the repository, if its URL is known', async () => {
    const text = '[app](../../demo/apps/vue)';

    expect(
      await rewrite('quick-start/vue.md', text, { repository: 'https://github.com/me/inlay' }),
    ).toBe('[app](https://github.com/me/inlay/blob/main/demo/apps/vue)');
    expect(await rewrite('quick-start/vue.md', text)).toBe('app');
  });

  it.each(['/', '/docs/'])('link to pages where they are written, below %s', async (base) => {
    const links = '[start](index.md#start) [API](../admin-api.md) [Vue](vue.md)';

    expect(await rewrite('quick-start/next.md', links, { base })).toBe(
      '[start](../quick-start.md#start) [API](../admin-api.md) [Vue](vue.md)',
    );
    // The file of `quick-start/index.md`.
    expect(await rewrite('quick-start.md', links, { base })).toBe(
      '[start](quick-start.md#start) [API](admin-api.md) [Vue](quick-start/vue.md)',
    );
    expect(await rewrite('identity.md', '[start](quick-start/index.md)', { base })).toBe(
      '[start](quick-start.md)',
    );
  });

  it('link to the pages that are generated from a source file', async () => {
    expect(
      await rewrite(
        'backends/node.md',
        '[schema](../../packages/server/src/lib/config/config.ts) [client](../../packages/client/src/index.ts#x)',
      ),
    ).toBe('[schema](../api/settings.md#config) [client](../api/client.md#x)');
  });

  it('keep code, images, and links to other sites', async () => {
    const text =
      '`list[0](argument)` ![image](../images/a.png) [site](https://a.test/b.md) [end](#end)';

    expect(await rewrite('backends/node.md', text)).toBe(text);
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
