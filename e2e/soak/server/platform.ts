import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Calls } from '../calls.ts';
import { WorkerProcess } from '../worker-process.ts';
import { configuration } from './configuration.ts';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A platform process with a store on disk, which can be restarted. */
export interface Platform {
  readonly url: string;
  readonly apiKey: string;
  /** Errors and warnings of its log. */
  readonly errors: readonly string[];
  snapshot(): Promise<Calls['snapshot']['result']>;
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  close(): Promise<void>;
}

/** @param publicUrl URL of the fault proxy, which clients use. */
export async function startPlatform(port: number, publicUrl: string): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-soak-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Removes the folder if the run is aborted, too.
  process.once('exit', remove);
  const config = join(folder, 'inlay.config.json');
  writeFileSync(config, JSON.stringify(configuration));
  const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
  const url = `http://127.0.0.1:${port}`;
  const errors: string[] = [];

  const start = async () => {
    const started = new WorkerProcess({
      name: 'the platform',
      imports: [pathOf('probe.ts')],
      entry: pathOf('../../../packages/server/src/main.ts'),
      environment: {
        PORT: String(port),
        HOST: '127.0.0.1',
        INLAY_BASE_URL: publicUrl,
        INLAY_CONFIG: config,
        INLAY_DATA: join(folder, 'data'),
        INLAY_API_KEY: apiKey,
      },
      onLine: (line) => {
        if (/"level":"(error|warn)"/.test(line)) errors.push(line);
      },
    });
    await untilReady(url, started);
    return started;
  };

  let child = await start();
  return {
    url,
    apiKey,
    errors,
    snapshot: () => child.call('snapshot', null),
    async restart(signal) {
      await child.end(signal);
      child = await start();
    },
    async close() {
      await child.end('SIGTERM');
      remove();
      process.off('exit', remove);
    },
  };
}

async function untilReady(url: string, child: WorkerProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && child.isRunning; attempt += 1) {
    const response = await fetch(`${url}/meta/v1/health`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(100);
  }
  // If the process has exited, this call throws with the reason.
  await child.call('snapshot', null);
  throw new Error('The platform was not ready within a minute.');
}
