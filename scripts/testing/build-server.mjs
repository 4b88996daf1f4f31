/**
 * Global setup of Vitest: builds `inlay-server` before the tests, because a process that loads the
 * server's sources needs seven times the processor time to start.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup() {
  // Every project runs this setup, but one build is enough.
  if (process.env.INLAY_SERVER_IS_BUILT) return;
  process.env.INLAY_SERVER_IS_BUILT = 'yes';
  const script = fileURLToPath(new URL('../build-server.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
