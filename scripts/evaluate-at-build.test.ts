import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { evaluateAtBuild } from './evaluate-at-build.mjs';

const styles = '/packages/loader/src/lib/styles.ts';
const path = fileURLToPath(new URL(`..${styles}`, import.meta.url));

describe('evaluateAtBuild', () => {
  it('replaces a module with its minified exports', async () => {
    const code = await evaluateAtBuild(styles).load(path);

    expect(code).toMatch(/^export const styles = "\.layer\{.*";$/);
  });

  it('leaves other modules alone', async () => {
    expect(await evaluateAtBuild(styles).load('/packages/loader/src/lib/dom.ts')).toBeNull();
  });
});
