import { execFileSync } from 'node:child_process';
import { freemem } from 'node:os';

/** File descriptors that a process needs in addition to its streams. */
const spare = 500;
/** Estimated memory per stream in bytes, for client and server together. */
const bytesEach = 120 * 1024;

/**
 * Determines the number of streams: the requested number, limited by file descriptors and free
 * memory. The notes say if it is below the requested number or the `target`.
 */
export function streamCount(asked: number, target = 10_000): { count: number; note: string[] } {
  const count = Math.min(asked, openFiles() - spare, Math.floor(freemem() / 2 / bytesEach));
  return {
    count,
    note: [
      ...(count < asked ? [`${asked} streams were asked for; this machine allows ${count}.`] : []),
      ...(count < target
        ? [`The target is for ${target} streams; ${count} were open. Use \`--streams ${target}\`.`]
        : []),
    ],
  };
}

/** Maximum number of open files of this process, which its children inherit. */
function openFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
}
