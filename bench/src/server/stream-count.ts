import { execFileSync } from 'node:child_process';
import { freemem } from 'node:os';

/** File descriptors that a process needs in addition to its streams. */
const reservedFiles = 500;
/** Estimated memory per stream in bytes, for client and server together. */
const bytesPerStream = 120 * 1024;

/**
 * Determines the number of streams: the requested number, limited by file descriptors and free
 * memory. `note` says if the result is below the requested number or the `target`.
 */
export function streamCount(requested: number, target = 10_000): { count: number; note: string[] } {
  const count = Math.min(
    requested,
    maxOpenFiles() - reservedFiles,
    Math.floor(freemem() / 2 / bytesPerStream),
  );
  return {
    count,
    note: [
      ...(count < requested
        ? [`${requested} streams were requested; this machine allows ${count}.`]
        : []),
      ...(count < target
        ? [`The target is for ${target} streams; ${count} were open. Use \`--streams ${target}\`.`]
        : []),
    ],
  };
}

/** Maximum number of open files of this process, which its children inherit. */
function maxOpenFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
}
