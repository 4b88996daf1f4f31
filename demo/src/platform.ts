import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loopback } from './listen.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const serverMain = here('../../packages/server/src/main.ts');
const configuration = here('../inlay.config.ts');

/** Timeout for the first response of a new process, in milliseconds. */
const startTimeout = 60_000;
/** Timeout for a clean shutdown, in milliseconds. */
const stopTimeout = 4_000;

export interface PlatformOptions {
  /** Port on which the process listens, behind the proxy. */
  port: number;
  /** Public URL of the platform, which is the URL of the proxy. */
  baseUrl: string;
  /** URL of the host site, to which hosted pages link back. */
  hostUrl: string;
  apiKey: string;
  /** Password of the operator `admin` of the console. */
  adminSecret: string;
  /** Directory of the store, or `memory`. */
  data: string;
  /** Called if the process exits without `kill` or `stop`. */
  onUnexpectedExit: (reason: string) => void;
}

/** The platform as a child process that can be killed and restarted. */
export interface PlatformProcess {
  readonly running: boolean;
  /** Starts the process and resolves when it responds. Has no effect if it is running. */
  start(): Promise<void>;
  /** Kills the process with SIGKILL, like a crash. */
  kill(): Promise<void>;
  /** Shuts the process down cleanly. */
  stop(): Promise<void>;
}

export function createPlatformProcess(options: PlatformOptions): PlatformProcess {
  let child: ChildProcess | null = null;

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const stopping = child;
    if (!stopping) return;
    child = null;
    const exited = once(stopping, 'exit');
    stopping.kill(signal);
    const killTimer = setTimeout(() => stopping.kill('SIGKILL'), stopTimeout);
    await exited;
    clearTimeout(killTimer);
  };

  return {
    get running() {
      return child !== null;
    },
    async start() {
      if (child) return;
      const started = spawnServer(options);
      child = started;
      started.once('exit', (code, signal) => {
        if (child !== started) return;
        child = null;
        options.onUnexpectedExit(signal ? `by ${signal}` : `with code ${code}`);
      });
      await waitUntilHealthy(options.port, () => child === started);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Starts the process, and forwards its log to the terminal, except for lines of level `info`. */
function spawnServer(options: PlatformOptions): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', serverMain], {
    // Ignores stdout, which contains the private port. The demo prints the public port.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      HOST: loopback,
      PORT: String(options.port),
      INLAY_BASE_URL: options.baseUrl,
      INLAY_CONFIG: configuration,
      INLAY_DATA: options.data,
      INLAY_API_KEY: options.apiKey,
      INLAY_ADMIN_SECRET: options.adminSecret,
      DEMO_HOST_URL: options.hostUrl,
    },
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('{') || !line.includes('"level":"info"')) console.error(line);
  });
  return child;
}

async function waitUntilHealthy(port: number, isRunning: () => boolean): Promise<void> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline) {
    if (!isRunning()) throw new Error('The platform exited during startup; see its output above.');
    const response = await fetch(`http://${loopback}:${port}/meta/v1/health`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`The platform did not respond within ${startTimeout / 1000} s.`);
}
