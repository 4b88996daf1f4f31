import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { modelApis } from '@inlay/protocol';
import { freePort } from '../../scripts/free-port.mjs';
import type { Load } from './calls.ts';
import { startUpstream } from './upstream.ts';
import { WorkerProcess } from './worker-process.ts';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const apiKey = 'sk-service-of-the-fuzz-run-and-no-other';
export const origin = 'http://localhost:5173';
/** A model of the catalogue that supports every model API. */
export const catalogueModel = 'fuzz/model';
/** Rate limits that the run never reaches. */
export const unlimited = { requests_per_second: 1_000_000, concurrent: 1_000_000 };

const providers = (base_url: string) => [
  { provider: 'openai-compatible', name: 'upstream', base_url, model: 'm' },
];

/** @param upstream Address of the upstream of all families of compatible APIs. */
export const configuration = (upstream: string) => ({
  compatible: Object.fromEntries(
    Object.entries({
      chat_model: '/v1',
      message_model: '/v1',
      generative_model: '/v1beta',
      sandbox: '',
      web_search: '',
    }).map(([name, version]) => [name, { upstream: { base_url: upstream + version } }]),
  ),
  models: [
    { id: 'scripted', providers: [{ provider: 'scripted' }] },
    { id: catalogueModel, supported_apis: modelApis, providers: providers(`${upstream}/v1`) },
  ],
  limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited, public: unlimited },
  agents: [
    {
      short_id: 'fuzz',
      name: 'Fuzz',
      model: { provider: 'scripted', script: [{ say: 'Yes.' }], delay_ms: 0, first_delay_ms: 0 },
      embed: { allowed_origins: [origin], limits: unlimited },
      publishable_keys: [{ key: 'pk_fuzz' }],
    },
  ],
});

/** A platform process with a store on disk. */
export interface Platform {
  readonly port: number;
  readonly url: string;
  /** Path of the SQLite file. */
  readonly store: string;
  /** Lines of its log with the level `error`. */
  readonly errors: readonly string[];
  readonly isRunning: boolean;
  /** Processor time and longest event-loop delay since the previous call, in milliseconds. */
  load(): Promise<Load>;
  /** Heap size in megabytes after a garbage collection. */
  heap(): Promise<number>;
  close(): Promise<void>;
}

export async function startPlatform(): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-fuzz-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Removes the folder if the run is aborted, too.
  process.once('exit', remove);
  const upstream = await startUpstream();
  const config = join(folder, 'inlay.config.json');
  writeFileSync(config, JSON.stringify(configuration(upstream.url)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const errors: string[] = [];
  const child = new WorkerProcess({
    name: 'the platform',
    imports: [pathOf('probe.ts')],
    entry: pathOf('../../packages/server/src/main.ts'),
    environment: {
      PORT: String(port),
      HOST: '127.0.0.1',
      INLAY_BASE_URL: url,
      INLAY_CONFIG: config,
      INLAY_DATA: join(folder, 'data'),
      INLAY_API_KEY: apiKey,
    },
    onLine: (line) => {
      if (line.includes('"level":"error"')) errors.push(line);
    },
  });
  while (!(await fetch(`${url}/meta/v1/health`).catch(() => null))?.ok) {
    // If the process has exited, this call throws with the reason.
    if (!child.isRunning) await child.call('snapshot');
    await sleep(50);
  }
  return {
    port,
    url,
    store: join(folder, 'data', 'inlay.db'),
    errors,
    get isRunning() {
      return child.isRunning;
    },
    load: () => child.call('load'),
    heap: async () => (await child.call('snapshot')).heapUsed / 1e6,
    async close() {
      await child.end('SIGTERM');
      upstream.close();
      remove();
      process.off('exit', remove);
    },
  };
}
