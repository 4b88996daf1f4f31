/** The guides, kept in step with the code: whatever a developer can set or get is explained. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/client.md');

/** The names of an interface's members. */
function membersOf(path: string, name: string): string[] {
  const source = read(path);
  const from = source.indexOf(`interface ${name}`);
  if (from < 0) throw new Error(`${path} has no interface ${name}`);
  const body = source.slice(from, source.indexOf('\n}', from));
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1] ?? '');
}

/** The string literals of a type. */
function literalsOf(path: string, type: string): string[] {
  const source = read(path);
  const from = source.indexOf(`type ${type}`);
  const body = source.slice(from, source.indexOf(';\n', from));
  return [...body.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? '');
}

const client = 'packages/client/src/lib';

describe('docs/client.md', () => {
  it.each([
    [`${client}/client-options.ts`, 'InlayClientOptions'],
    [`${client}/ports.ts`, 'Ports'],
    [`${client}/tokens/anonymous-visitor.ts`, 'AnonymousVisitorOptions'],
    [`${client}/tokens/hosted-code.ts`, 'HostedPage'],
    [`${client}/inlay-client.ts`, 'ListSessionsOptions'],
    [`${client}/diagnose/report.ts`, 'DiagnoseOptions'],
  ])('explains every member of %s, %s', (path, name) => {
    const members = membersOf(path, name);
    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !guide.includes(`\`${member}\``))).toEqual([]);
  });

  it.each([
    [`${client}/errors.ts`, 'InlayErrorCode'],
    [`${client}/auth-state.ts`, 'AuthStatus'],
    [`${client}/conversation/state.ts`, 'Delivery'],
  ])('explains every value of %s, %s', (path, type) => {
    const values = literalsOf(path, type);
    expect(values.length).toBeGreaterThan(3);
    expect(values.filter((value) => !guide.includes(`\`${value}\``))).toEqual([]);
  });

  it('explains every diagnostic', () => {
    const types = [...read(`${client}/diagnostics.ts`).matchAll(/type: '(\w+)'/g)];
    expect(types.length).toBeGreaterThan(5);
    expect(types.filter(([, type]) => !guide.includes(`\`${type}\``))).toEqual([]);
  });
});

describe('the guides', () => {
  it.each([
    'README.md',
    'docs/admin-api.md',
    'docs/client.md',
    'docs/configuration.md',
    'docs/frameworks.md',
    'docs/languages.md',
    'docs/testing.md',
    'docs/theming.md',
    'docs/faults.md',
    'docs/widget.md',
    'docs/accessibility.md',
    'docs/launcher.md',
    'demo/README.md',
  ])('%s links only to what is there', (path) => {
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

describe('docs/languages.md', () => {
  it('names the languages of the elements, and no other', () => {
    const files = /const files = \{([\s\S]*?)\n\}/.exec(
      read('packages/elements/src/lib/i18n/languages.ts'),
    );
    const spoken = [...(files?.[1] ?? '').matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, tag]) => tag);
    const [languages = ''] = read('docs/languages.md').split('## Every key');
    const named = [...languages.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, tag]) => tag);

    expect(spoken.length).toBeGreaterThan(5);
    expect(named).toEqual(spoken);
  });
});
