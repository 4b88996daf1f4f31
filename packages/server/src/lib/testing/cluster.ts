import { freePort } from '../../../../../scripts/free-port.mjs';
import type { ConfigInput } from '../config/config.ts';
import { createPlatformApi, type PlatformApi } from './platform-api.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { startNginx } from './services/nginx.ts';
import { startPostgres, type TestPostgres } from './services/postgres.ts';
import { startRedis, type TestRedis } from './services/redis.ts';

/**
 * The platform as it runs in production: three processes with PostgreSQL and Redis, behind nginx.
 */
export interface Cluster {
  readonly postgres: TestPostgres;
  readonly redis: TestRedis;
  /** The API through nginx. */
  readonly api: PlatformApi;
  /** Returns one of the processes, for API calls without nginx. */
  server(number: 0 | 1 | 2): ServerProcess;
  /** Makes concurrent calls, distributed over the processes. */
  callConcurrently<Result>(
    count: number,
    call: (server: ServerProcess, number: number) => Promise<Result>,
  ): Promise<Result[]>;
  /** Kills a process, and starts another one on the same port. */
  replace(number: 0 | 1 | 2): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster. Call it in `beforeAll`. */
export async function startCluster(config: Partial<ConfigInput> = {}): Promise<Cluster> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const upstreams = ports.map((port) => `http://127.0.0.1:${port}`);
  const [postgres, redis, nginx] = await Promise.all([
    startPostgres(),
    startRedis(),
    startNginx({ upstreams }),
  ]);
  const start = (port: number) =>
    spawnServer(config, {
      PORT: String(port),
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      INLAY_BASE_URL: nginx.url,
    });
  const servers = await Promise.all(ports.map(start));
  return {
    postgres,
    redis,
    api: createPlatformApi(nginx.url),
    server: (number) => itemAt(servers, number),
    callConcurrently: (count, call) =>
      Promise.all(
        Array.from({ length: count }, (_, number) => call(itemAt(servers, number % 3), number)),
      ),
    async replace(number) {
      await itemAt(servers, number).kill();
      servers[number] = await start(itemAt(ports, number));
    },
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([nginx.stop(), redis.stop(), postgres.stop()]);
    },
  };
}

/** Counts equal items. */
export function tally(items: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

function itemAt<Item>(items: readonly Item[], number: number): Item {
  const item = items[number];
  if (item === undefined) throw new Error(`There is no process number ${number}.`);
  return item;
}
