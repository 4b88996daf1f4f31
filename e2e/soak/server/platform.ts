import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Questions } from '../messages.ts';
import { AskableProcess } from '../process.ts';
import { configuration } from './configuration.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The platform as a process of its own, with its store on the disk, which may be ended and started again. */
export interface Platform {
  readonly url: string;
  readonly apiKey: string;
  /** Lines of its log that tell of an error. */
  readonly errors: readonly string[];
  hold(): Promise<Questions['hold']['answer']>;
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  close(): Promise<void>;
}

/** @param publicUrl What stands before it, as clients know it. */
export async function startPlatform(port: number, publicUrl: string): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-soak-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Also when the run is broken off.
  process.once('exit', remove);
  const config = join(folder, 'inlay.config.json');
  writeFileSync(config, JSON.stringify(configuration));
  const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
  const url = `http://127.0.0.1:${port}`;
  const errors: string[] = [];

  const start = async () => {
    const started = new AskableProcess({
      name: 'the platform',
      imports: [here('probe.ts')],
      entry: here('../../../packages/server/src/main.ts'),
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
    await answering(url, started);
    return started;
  };

  let child = await start();
  return {
    url,
    apiKey,
    errors,
    hold: () => child.ask('hold', null),
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

async function answering(url: string, child: AskableProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && child.isRunning; attempt += 1) {
    const response = await fetch(`${url}/meta/v1/health`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(100);
  }
  // Tells why, with its last words.
  await child.ask('hold', null);
  throw new Error('The platform did not answer within a minute.');
}
