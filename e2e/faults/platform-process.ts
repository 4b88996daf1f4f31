import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const apiKey = 'sk-service-of-the-fault-tests-and-no-other';

const programPath = resolve(import.meta.dirname, '../../packages/server/dist/inlay-server.js');
const configPath = resolve(import.meta.dirname, 'inlay.config.json');

/** A platform in a separate process, started with the program of the published package. */
export interface PlatformProcess {
  readonly url: string;
  readonly port: number;
  /** Signals the process, and resolves when it has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Default public URL, which all processes share as behind a load balancer. */
const publicUrl = 'https://chat.example.com';

/**
 * Starts a platform process, and waits until it is healthy.
 *
 * @param store Directory of a SQLite store, which one process at a time can use, or URL of a
 *   PostgreSQL database.
 */
export async function startPlatformProcess(
  store: string,
  port: number,
  baseUrl: string = publicUrl,
): Promise<PlatformProcess> {
  const child: ChildProcess = spawn(process.execPath, [programPath], {
    // The log has a line for each request, which would hide the output of the tests.
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      INLAY_BASE_URL: baseUrl,
      INLAY_API_KEY: apiKey,
      INLAY_CONFIG: configPath,
      ...(store.startsWith('postgres:') ? { DATABASE_URL: store } : { INLAY_DATA: store }),
    },
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const health = await fetch(`${url}/meta/v1/health`).catch(() => null);
    await health?.body?.cancel();
    if (health?.ok) break;
    if (child.exitCode !== null)
      throw new Error('The platform process exited before it was ready.');
    await delay(50);
  }
  return {
    url,
    port,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
