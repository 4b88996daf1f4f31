import { randomBytes } from 'node:crypto';
import { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { createPlatformClient } from '@inlay/node';
import { createHostApp } from './host/app.ts';
import { createFailures, usualOrigins } from './host/failures.ts';
import { models } from './host/models.ts';
import { listen, loopback } from './listen.ts';
import { startNetwork } from './network.ts';
import type { DemoOptions } from './options.ts';
import { createPlatformProcess, freePort } from './platform.ts';
import { startProxy } from './proxy.ts';

const agent = 'demo';
const agents = [agent, 'lounge'];
const pagesDirectory = fileURLToPath(new URL('../dist', import.meta.url));

export interface Demo {
  /** The platform's address. */
  platform: string;
  /** The host site's address. */
  host: string;
  close(): Promise<void>;
}

/**
 * Starts everything: the platform as a child process, the network before it, and the host site.
 * `onDeath` is told when the platform ends by itself. What was started is closed again on failure.
 */
export async function startDemo(
  options: DemoOptions,
  onDeath: (reason: string) => void,
): Promise<Demo> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const platformPort = await freePort();
    const network = await startNetwork({ port: options.platformPort, targetPort: platformPort });
    closers.push(() => network.close());
    const proxy = await startProxy({ targetPort: platformPort });
    closers.push(() => proxy.close());
    const baseUrl = options.platformUrl ?? `http://localhost:${network.port}`;

    // The app knows its address only once it listens, and the platform has to know it as well.
    const host = serverOf((request) => app.fetch(request));
    const hostUrl = `http://localhost:${await listen(host, options.hostPort)}`;
    closers.push(() => closeServer(host));

    const apiKey = `sk-service-${randomBytes(24).toString('base64url')}`;
    const child = createPlatformProcess({
      port: platformPort,
      baseUrl,
      hostUrl,
      apiKey,
      data: options.data,
      onDeath,
    });
    // A backend has its own way to the platform: cutting the browser's network leaves it whole.
    const platform = createPlatformClient({
      baseUrl: `http://${loopback}:${platformPort}`,
      apiKey,
    });
    const pages = { directory: pagesDirectory, platform: baseUrl };
    const failures = createFailures({ agents, platform, network, proxy });
    const app = createHostApp({ agent, platform, child, network, failures, pages });

    closers.push(() => child.stop());
    await child.start();
    // The store outlives the demo, and with it what the agent was left in.
    const embed = { allowed_origins: usualOrigins };
    for (const each of agents) {
      await platform.agents.update(each, {
        model: models.normal,
        embed,
        keep_version: true,
      });
    }
    return { platform: baseUrl, host: hostUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function serverOf(fetch: (request: Request) => Response | Promise<Response>): Server {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new Error('expected an HTTP/1 server');
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
