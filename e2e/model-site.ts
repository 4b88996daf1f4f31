import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPlatformClient, type PlatformClient } from '@inlay/node';
import type { Page } from '@playwright/test';
import { freePort } from '../scripts/free-port.mjs';
import { type ReplayServer, startReplayServer } from './replay/replay-server.ts';

const apiKey = 'sk-service-of-the-end-to-end-tests-and-no-other';

/** A platform whose model is the replay server, and a server with a host page. */
export class ModelSite {
  /** Origin of the host page, which has the script tag. */
  readonly host: string;
  /** Base URL of the platform. */
  readonly address: string;
  readonly replay: ReplayServer;
  readonly platform: PlatformClient;
  readonly #child: ChildProcess;
  readonly #pages: Server;

  private constructor(address: string, replay: ReplayServer, child: ChildProcess, pages: Server) {
    this.address = address;
    this.host = `http://localhost:${portOf(pages)}`;
    this.#pages = pages;
    this.replay = replay;
    this.#child = child;
    this.platform = createPlatformClient({ baseUrl: address, apiKey });
  }

  static async start(): Promise<ModelSite> {
    const replay = await startReplayServer();
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', resolve('packages/server/src/main.ts')],
      {
        env: {
          ...process.env,
          PORT: String(port),
          INLAY_BASE_URL: address,
          INLAY_API_KEY: apiKey,
          INLAY_CONFIG: resolve('e2e/inlay.config.ts'),
          INLAY_DATA: 'memory',
          REPLAY_URL: replay.url,
          REPLAY_KEY: 'any',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const page = `<!doctype html><html lang="en"><title>Host</title><script async src="${address}/inlay.js"></script>`;
    const pages = await listen((_request, response) => {
      response.setHeader('content-type', 'text/html').end(page);
    });
    for (;;) {
      const health = await fetch(`${address}/meta/v1/health`).catch(() => null);
      if (health?.ok) return new ModelSite(address, replay, child, pages);
      if (child.exitCode !== null) throw new Error('The platform exited before it was ready');
      await delay(100);
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill('SIGTERM');
    await ended;
    await this.replay.close();
    this.#pages.close();
  }

  /** Opens the host page with the script tag for a signed-in user. */
  async visit(page: Page, user: string): Promise<void> {
    await page.exposeFunction('issueToken', async () => (await this.#issue(user)).token);
    await page.addInitScript(() => {
      const { issueToken } = window as unknown as { issueToken(): Promise<string> };
      Object.assign(window, { inlay: { getToken: () => issueToken() } });
    });
    await page.goto(`${this.host}/`);
  }

  /** Reads the texts of all answers in the user's latest conversation from the log. */
  async loggedAnswers(user: string): Promise<string[]> {
    const { token } = await this.#issue(user);
    const headers = { authorization: `Bearer ${token}`, origin: this.host };
    const read = async (path: string) => {
      const response = await fetch(`${this.address}/agent/v1${path}`, { headers });
      const { data } = (await response.json()) as { data: { id: string; content: unknown }[] };
      return data;
    };
    const [session] = await read('/sessions?limit=1');
    const events = await read(`/sessions/${session?.id}/events?types[]=agent.message&limit=200`);
    return events.map(({ content }) =>
      (content as { text: string }[]).map(({ text }) => text).join(''),
    );
  }

  #issue(user: string) {
    return this.platform.embedTokens.issue({ agent: 'demo', external_user_id: user });
  }
}

async function listen(handler: RequestListener): Promise<Server> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
