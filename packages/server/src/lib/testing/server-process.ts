import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IssueTokenResponse } from '@inlay/protocol';
import { onTestFinished } from 'vitest';
import type { ConfigInput } from '../config/config.ts';
import { type Following, follow } from './follow.ts';
import { testApiKey, testOrigin } from './setup-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

/** The platform in a process of its own, as `npm start` runs it. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Resolves with the exit code when the process has ended; null where a signal killed it. */
  exited: Promise<number | null>;
  /** Calls with a credential, or without one for null. */
  call(credential: string | null, method: string, path: string, body?: object): Promise<Response>;
  backend(method: string, path: string, body?: object): Promise<Response>;
  issue(user: string, fields?: object): Promise<IssueTokenResponse>;
  /** Follows a session from its beginning. */
  follow(token: string, sessionId: string, lastEventId?: string): Promise<Following>;
}

/** Starts one on a free port. It is killed after the test. */
export async function startProcess(
  data: string,
  config: Partial<ConfigInput> = {},
): Promise<ServerProcess> {
  const file = join(temporaryFolder(), 'inlay.config.json');
  writeFileSync(file, JSON.stringify(configOf(config)));
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', main], {
    env: {
      ...process.env,
      PORT: '0',
      INLAY_CONFIG: file,
      INLAY_DATA: data,
      INLAY_API_KEY: testApiKey,
      INLAY_BASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const url = await addressOf(child);
  const call: ServerProcess['call'] = (credential, method, path, body) =>
    fetch(`${url}/agent/v1${path}`, {
      method,
      headers: {
        ...(credential !== testApiKey && { origin: testOrigin }),
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    url,
    child,
    exited,
    call,
    backend: (method, path, body) => call(testApiKey, method, path, body),
    async issue(user, fields = {}) {
      const body = { agent: 'test', external_user_id: user, ...fields };
      const response = await call(testApiKey, 'POST', '/embed_tokens', body);
      if (response.status !== 200) throw new Error(await response.text());
      return IssueTokenResponse.parse(await response.json());
    },
    async follow(token, sessionId, lastEventId = '0') {
      const stream = await follow(
        `${url}/agent/v1/sessions/${sessionId}/events/stream?event_deltas[]=agent.message`,
        token,
        { headers: { 'last-event-id': lastEventId } },
      );
      onTestFinished(() => stream.cut());
      return stream;
    },
  };
}

/** It says where it listens on its standard output, and why it does not on the other. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    let log = '';
    child.stderr?.on('data', (text: Buffer) => {
      log += text;
    });
    child.stdout?.on('data', (text: Buffer) => {
      said += text;
      const port = /listens on \S+:(\d+)/.exec(said)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('exit', (code) => reject(new Error(`It ended with code ${code}: ${log}`)));
  });
}

function configOf(config: Partial<ConfigInput>): ConfigInput {
  const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
  return {
    limits: { api_key: unlimited, source: unlimited },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: { provider: 'scripted', delay_ms: 20, first_delay_ms: 0 },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
    ],
    ...config,
  };
}
