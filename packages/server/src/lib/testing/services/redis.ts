import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../../../scripts/free-port.mjs';
import { watchRedis } from '../secret-watch/watch-redis.ts';
import { findProgram, type RunningProgram, startProgram } from './program.ts';

/** A Redis server on its own port, without persistence. */
export interface TestRedis {
  readonly url: string;
  /** Suspends the server: it accepts connections, but does not respond. */
  pause(): void;
  resume(): void;
  /** Stops the server: its connections are reset, and new connections are refused. */
  down(): Promise<void>;
  /** Starts the server again, on the same port without data. */
  up(): Promise<void>;
  /** Stops the server. May be called twice. */
  stop(): Promise<void>;
}

/** Starts Redis. Stop it in `afterAll`. */
export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-redis-'));
  const port = await freePort();
  let running: RunningProgram | null = await start();
  const down = async () => {
    await running?.end('SIGKILL');
    running = null;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void running?.child.kill('SIGSTOP'),
    resume: () => void running?.child.kill('SIGCONT'),
    down,
    async up() {
      running ??= await start();
    },
    async stop() {
      await down();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function start(): Promise<RunningProgram> {
    const options = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
    const program = await startProgram({
      command: findProgram('redis-server', 'redis-server'),
      args: Object.entries(options).flatMap(([name, to]) => [`--${name}`, String(to)]),
      ready: /Ready to accept connections/,
      cwd: folder,
    });
    const watched = watchRedis(port);
    return {
      ...program,
      async end(signal) {
        await program.end(signal);
        await watched;
      },
    };
  }
}
