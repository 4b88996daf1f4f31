/** Checks that each test is run by exactly one of `npm test` and `npm run test:all`. */
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import playwright from '../../playwright.config.ts';
import { browserTests, engineNames, enginesOf, selection, stories } from './selection.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const commands = ['main', 'rest'] as const;

function output(command: string, args: readonly string[], env = {}): string {
  return execFileSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Test files in the repository, as paths from its root. */
function filesOf(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  return output('git', args).trim().split('\n').sort();
}

/** Converts a glob pattern to a Git pathspec. */
const inGit = (pattern: string) => `:(glob)${pattern}`;

const inBrowsers = filesOf(...browserTests.map(inGit));

describe('npm test and npm run test:all', () => {
  it('run each unit test exactly once', () => {
    const listed = commands.flatMap((command) => {
      const args = ['vitest', 'list', '--filesOnly', '--json'];
      const list = output('npx', args, { INLAY_TESTS: command });
      return JSON.parse(list) as { file: string; projectName: string }[];
    });
    // A server test that also runs on PostgreSQL is listed twice.
    const files = listed
      .filter(({ projectName }) => projectName !== 'server-on-postgres')
      .map(({ file }) => relative(root, file));

    expect(files.sort()).toEqual(
      filesOf('*.test.ts', '*.test.tsx').filter((file) => !inBrowsers.includes(file)),
    );
  });

  it('run each story exactly once', () => {
    const { testMatch = [] } = stories('main');
    const all = filesOf('*.spec.ts');
    const main = filesOf(...testMatch.map(inGit));

    // `npm test` includes these patterns, and `npm run test:all` excludes them.
    expect(stories('rest')).toEqual({ testIgnore: testMatch });
    expect(main.length).toBe(testMatch.length);
    expect(all.filter((file) => !file.startsWith(`${playwright.testDir}/`))).toEqual([]);
  });

  it('run the tests of the elements exactly once in each engine', () => {
    const engines = commands.flatMap((command) => enginesOf(command));

    expect(engines.sort()).toEqual([...engineNames].sort());
  });

  it('reject unknown values of INLAY_TESTS', () => {
    expect(() => selection('fast')).toThrow('INLAY_TESTS is “fast”. It can be main or rest.');
  });
});
