import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { frameworks } from './lib/choices.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'create-inlay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = [
  '--conditions=source',
  '--import',
  fileURLToPath(import.meta.resolve('tsx')),
  join(root, 'packages/create-inlay/src/main.ts'),
];
const create = (...args: string[]) =>
  execFileSync(process.execPath, [...program, ...args], { cwd: folder, encoding: 'utf8' });
const textOf = (app: string) =>
  readdirSync(join(folder, app), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|js|vue|svelte)$/.test(path))
    .map((path) => readFileSync(join(folder, app, path), 'utf8'))
    .join('\n');

it.each(Object.keys(frameworks))('creates an application for visitors with %s', (framework) => {
  create(framework, '--framework', framework, '--sign-in', 'visitors');

  expect(textOf(framework)).toMatch(/publishable-?key[=:] ?['"]pk_demo['"]/i);
  expect(textOf(framework)).not.toMatch(/token-?url=|fetchToken\(/i);
});

it('shares a new API key between the application and its platform', () => {
  create('first', '--framework', 'next');
  create('second', '--framework', 'next', '--backend', 'python');
  const [first, second] = ['first', 'second'].map((app) =>
    readFileSync(join(folder, app, '.env'), 'utf8'),
  );

  expect(first).toMatch(/^INLAY_API_KEY=sk-service-[\w-]{32}$/m);
  expect(first).not.toBe(second);
  expect(readFileSync(join(folder, 'first/.gitignore'), 'utf8')).toContain('.env');
  expect(readdirSync(join(folder, 'second/backend'))).toEqual(['chat_token.py']);
});

it('names how to start it and to connect a model, without a file that the application lacks', () => {
  const output = create('third', '--framework', 'next');

  expect(output).toContain('npm run platform');
  expect(output).toMatch(/INLAY_MODEL_BASE_URL, INLAY_MODEL and INLAY_MODEL_API_KEY\s+to \.env/);
  expect(output).not.toContain('docs/');
});

it.each([
  [['site', '--framework', 'react'], /--framework is “react”\. Use one of script-tag, vite-react/],
  [['site', '--colour', 'red'], /Unknown option '--colour'\. The options are --framework/],
  [['first'], /first is not empty\. Name a new folder\./],
  [['a', 'b'], /Name one folder, not 2\./],
])('%j writes nothing', (args, message) => {
  writeFileSync(join(folder, 'kept'), '');
  const before = readdirSync(folder);

  const { status, stdout } = spawnSync(process.execPath, [...program, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

  expect(status).toBe(1);
  expect(stdout).toMatch(message);
  expect(readdirSync(folder)).toEqual(before);
});
