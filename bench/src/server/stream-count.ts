import { execFileSync } from 'node:child_process';
import { freemem } from 'node:os';

/** Files that a process needs beside its streams. */
const spare = 500;
/** What one stream may take on both of its sides together. */
const bytesEach = 120 * 1024;

/**
 * How many streams to open: as many as asked for, or as many as this machine lets us. The note says
 * where they are fewer than the `target` speaks of.
 */
export function streamCount(asked: number, target = 10_000): { count: number; note: string[] } {
  const count = Math.min(asked, openFiles() - spare, Math.floor(freemem() / 2 / bytesEach));
  return {
    count,
    note: [
      ...(count < asked ? [`${asked} streams were asked for; this machine allows ${count}.`] : []),
      ...(count < target
        ? [
            `The target speaks of ${target} streams; ${count} were open. Use \`--streams ${target}\`.`,
          ]
        : []),
    ],
  };
}

/** How many files a process may have open: of this one and, inherited, of its children. */
function openFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
}
