import { randomBytes } from 'node:crypto';
import { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { createPlatformClient } from '@inlay/node';
import { startFaultProxy } from '../../e2e/fault-proxy/fault-proxy.ts';
import { freePort } from '../../scripts/free-port.mjs';
import { createHostApp } from './host/app.ts';
import { defaultOrigins } from './host/mistakes.ts';
import { models } from './host/models.ts';
import { listen, loopback } from './listen.ts';
import type { DemoOptions } from './options.ts';
import { createPlatformProcess } from './platform.ts';

const agent = 'demo';
const agents = [agent, 'lounge'];
const pagesDirectory = fileURLToPath(new URL('../dist', import.meta.url));

export interface Demo {
  /** URL of the platform. */
  platform: string;
  /** URL of the host site. */
  host: string;
  /** Password of the operator `admin` of the console. */
  adminSecret: string;
  close(): Promise<void>;
}

/**
 * Starts the platform as a child process, a proxy in front of the platform, and the host site. On
 * failure, closes everything that was started.
 *
 * @param onUnexpectedExit - Called if the platform process exits on its own.
 */
export async function startDemo(
  options: DemoOptions,
  onUnexpectedExit: (reason: string) => void,
): Promise<Demo> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const platformPort = await freePort();
    const proxy = await startFaultProxy({
      target: `http://${loopback}:${platformPort}`,
      port: options.platformPort,
    });
    closers.push(() => proxy.close());
    const baseUrl = options.platformUrl ?? proxy.url;

    // Listens before the app exists, because the platform needs the port of the host site.
    const host = createHttpServer((request) => app.fetch(request));
    const hostUrl = `http://localhost:${await listen(host, options.hostPort)}`;
    closers.push(() => closeServer(host));

    const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
    const adminSecret = randomBytes(12).toString('base64url');
    const child = createPlatformProcess({
      port: platformPort,
      baseUrl,
      hostUrl,
      apiKey,
      adminSecret,
      data: options.data,
      onUnexpectedExit,
    });
    // The backend bypasses the proxy, so that only the browser's connections can be cut.
    const platform = createPlatformClient({
      baseUrl: `http://${loopback}:${platformPort}`,
      apiKey,
    });
    const pages = { directory: pagesDirectory, platform: baseUrl };
    const app = createHostApp({ agent, agents, platform, child, proxy, pages });

    closers.push(() => child.stop());
    await child.start();
    // The store keeps agent settings. Resets the settings that failures of an earlier run can have changed.
    const embed = { allowed_origins: defaultOrigins };
    for (const each of agents) {
      await platform.agents.update(each, {
        model: models.normal,
        embed,
        keep_version: true,
      });
    }
    return { platform: baseUrl, host: hostUrl, adminSecret, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createHttpServer(fetch: (request: Request) => Response | Promise<Response>): Server {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new Error('Expected an HTTP/1 server.');
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
