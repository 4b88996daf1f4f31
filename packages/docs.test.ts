/** Checks that the guides explain the public interface, and that their links and included files exist. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guides } from '../docs/scripts/guides.ts';
import { literalsOf, membersOf } from '../scripts/testing/declarations.ts';
import { languages } from './elements/src/lib/i18n/languages.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/client.md');

const client = 'packages/client/src/lib';

describe('docs/client.md', () => {
  it.each([
    ['InlayClientOptions', `${client}/inlay-client.ts`],
    ['Ports', `${client}/ports.ts`],
    ['AnonymousVisitorOptions', `${client}/tokens/sources/anonymous.ts`],
    ['HostedPage', `${client}/tokens/sources/hosted-code.ts`],
    ['ListSessionsOptions', `${client}/inlay-client.ts`],
    ['DiagnoseOptions', `${client}/diagnose/report.ts`],
  ])('explains every member of %s (%s)', (name, path) => {
    const members = membersOf(join(root, path), name);
    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !guide.includes(`\`${member}\``))).toEqual([]);
  });

  it.each([
    ['InlayErrorCode', `${client}/errors.ts`],
    ['AuthStatus', `${client}/tokens/auth-state.ts`],
    ['Delivery', `${client}/conversation/state.ts`],
  ])('explains every value of %s (%s)', (type, path) => {
    const values = literalsOf(join(root, path), type);
    expect(values.length).toBeGreaterThan(3);
    expect(values.filter((value) => !guide.includes(`\`${value}\``))).toEqual([]);
  });

  it('explains every diagnostic', () => {
    const types = literalsOf(join(root, client, 'diagnostics.ts'), 'Diagnostic', 'type');
    expect(types.length).toBeGreaterThan(5);
    expect(types.filter((type) => !guide.includes(`\`${type}\``))).toEqual([]);
  });
});

describe('the links', () => {
  it.each([
    'README.md',
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

describe('code that the guides include', () => {
  const includingGuides = guides().filter((page) => /^<<< /m.test(read(page)));

  it('occurs only in the four guides to backends in other languages', () => {
    // The other guides must also be readable in the repository, which does not show included code.
    expect(includingGuides.map((page) => dirname(page))).toEqual(Array(4).fill('docs/backends'));
  });

  it.each(includingGuides)('exists at each path that %s includes', (page) => {
    const files = [...read(page).matchAll(/^<<< (\S+)$/gm)].map(([, path = '']) => path);

    expect(files).not.toEqual([]);
    for (const file of files) expect(read(join(dirname(page), file))).toContain('\n');
  });
});

describe('docs/languages.md', () => {
  it('lists exactly the languages of the elements', () => {
    const [table = ''] = read('docs/languages.md').split('## Every key');
    const named = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, tag]) => tag);

    expect(named).toEqual([...languages]);
  });
});
