import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { checkFault, checkMatch } from './check-fault.ts';
import type { CutKind } from './fault.ts';
import type { FaultProxy } from './fault-proxy.ts';

/** HTTP interface that controls the proxy. */
export interface Control {
  readonly port: number;
  close(): Promise<void>;
}

const maxBodyLength = 64 * 1024;

/** Starts the control server on 127.0.0.1. Port 0 selects a free port. */
export async function startControl(proxy: FaultProxy, port: number): Promise<Control> {
  const server = createServer(async (request, response) => {
    const { status, body } = await answerTo(proxy, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(body, null, 2)}\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerTo(proxy: FaultProxy, request: IncomingMessage) {
  const call = `${request.method} ${request.url}`;
  try {
    if (call === 'GET /') return { status: 200, body: stateOf(proxy) };
    if (call === 'DELETE /faults') proxy.faults.clear();
    else if (Object.hasOwn(actions, call)) actions[call]?.(proxy, await readJson(request));
    else return { status: 404, body: { error: `${call} is not known`, calls: calls } };
    return { status: 200, body: stateOf(proxy) };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : error } };
  }
}

const actions: Record<string, (proxy: FaultProxy, body: Record<string, unknown>) => void> = {
  'POST /faults': (proxy, { fault, match }) =>
    void proxy.faults.add(checkFault(fault), checkMatch(match ?? {})),
  'POST /cut': (proxy, { how }) => void proxy.cut(cutKindOf(how)),
  'POST /offline': (proxy, { how }) => proxy.goOffline(cutKindOf(how)),
  'POST /online': (proxy) => proxy.goOnline(),
};

const calls = ['GET /', 'DELETE /faults', ...Object.keys(actions)];

function cutKindOf(how: unknown = 'half-open'): CutKind {
  if (how === 'half-open' || how === 'reset' || how === 'fin') return how;
  throw new TypeError(`how is ${JSON.stringify(how)}; use half-open, reset or fin`);
}

function stateOf(proxy: FaultProxy) {
  return {
    url: proxy.url,
    offline: proxy.isOffline,
    counts: proxy.counts,
    faults: proxy.faults.list.map(({ fault, match, timesApplied }) => ({
      fault,
      match,
      timesApplied,
    })),
    connections: proxy.connections.map(({ id, requests }) => ({ id, requests })),
  };
}

/**
 * Reads a JSON body. The media type is required, because pages of other origins cannot send it without
 * a CORS preflight.
 */
async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new TypeError('content-type must be application/json');
  }
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > maxBodyLength) throw new TypeError('The body is too long');
  }
  const body: unknown = JSON.parse(text);
  if (body === null || typeof body !== 'object') throw new TypeError('The body must be an object');
  return { ...body };
}
