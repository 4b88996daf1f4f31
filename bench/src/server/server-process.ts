import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { buildEntries } from './build-entries.ts';
import { HttpConnection } from './http-connection.ts';
import type { ProbeQuery, ProbeResult, ProbeResults } from './probe-queries.ts';

/** A measured server process on 127.0.0.1. */
export interface ServerProcess {
  readonly port: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly startupTime: number;
  query<Name extends ProbeQuery>(query: Name): Promise<ProbeResults[Name]>;
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  kind: 'baseline' | 'platform';
  environment?: Record<string, string>;
}

/** Starts a process, and resolves after its first response. */
export async function startServerProcess({
  kind,
  environment = {},
}: ServerProcessOptions): Promise<ServerProcess> {
  const entries = await buildEntries();
  const port = await freePort();
  const started = performance.now();
  // Logs go to a file: a write to a full pipe would block until the load generator has read the pipe.
  const errorLog = join(temporaryFolder('log'), 'stderr');
  const errorFile = openSync(errorLog, 'w');
  const child = spawn(process.execPath, ['--expose-gc', '--import', entries.probe, entries[kind]], {
    stdio: ['ignore', 'ignore', errorFile, 'ipc'],
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', ...environment },
  });
  closeSync(errorFile);
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  const unexpectedExit = exit.then(() => {
    throw new Error(
      `The ${kind} process exited unexpectedly:\n${readFileSync(errorLog, 'utf8').slice(-4000)}`,
    );
  });
  // Prevents an unhandled rejection when `stop` ends the process.
  unexpectedExit.catch(() => {});

  try {
    await Promise.race([waitForFirstResponse(port), unexpectedExit]);
  } catch (error) {
    await stop();
    throw error;
  }
  const startupTime = performance.now() - started;
  let queries = 0;
  return {
    port,
    startupTime,
    query(query) {
      queries += 1;
      child.send({ id: queries, query });
      return Promise.race([receiveResult<typeof query>(child, queries), unexpectedExit]);
    },
    stop,
  };
}

async function receiveResult<Name extends ProbeQuery>(child: ChildProcess, id: number) {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ id: number; result: ProbeResult }];
    if (message.id === id) return message.result as ProbeResults[Name];
  }
}

/** Retries without delay until the server responds. */
async function waitForFirstResponse(port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    try {
      const connection = await HttpConnection.open(port);
      const { status } = await connection.request({ method: 'GET', path: '/meta/v1/health' });
      connection.close();
      if (status === 200) return;
      throw new Error(`/meta/v1/health answers ${status}.`);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  throw new Error('The process did not respond within 30 seconds.');
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
