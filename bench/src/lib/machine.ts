import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { chromium } from 'playwright';
import { findChromium } from '../../../scripts/find-chromium.mjs';

/** Describes the machine and the software versions in one line. */
export function describeMachine(now: Date): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
    `${memory} GiB`,
    `Node ${process.versions.node}`,
    browserVersion(),
    now.toISOString(),
  ].join(' · ');
}

function browserVersion(): string {
  try {
    const path = findChromium() ?? chromium.executablePath();
    return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .replace(/ built on.*/, '');
  } catch {
    return 'no Chromium';
  }
}
