import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { watchFolder } from './secret-watch/secret-watch.ts';

/** Creates a temporary folder, which is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-test-'));
  onTestFinished(() => {
    watchFolder(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
