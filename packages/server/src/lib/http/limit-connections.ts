import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import { networkOf } from './source.ts';

/** Milliseconds between two log lines about refused connections. */
const reportInterval = 60_000;

/**
 * Closes new connections while `limits.process.connections` are open, or while
 * `limits.process.source_connections` of the same source address are. Behind trusted proxies, all
 * connections come from the proxies, so that only the first limit applies.
 */
export function limitConnections(server: Server, { config, clock, log }: App['server']): void {
  const { connections, source_connections: perSource } = config.limits.process;
  const openBySource = new Map<string, number>();
  let refusals = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  server.maxConnections = connections;
  server.on('drop', () => report('process.connections'));
  if (config.trusted_proxies === 0) server.on('connection', limitSource);

  function limitSource(socket: Socket): void {
    const source = networkOf(socket.remoteAddress ?? 'unknown');
    const open = openBySource.get(source) ?? 0;
    if (open >= perSource) {
      report('process.source_connections', source);
      socket.destroy();
      return;
    }
    openBySource.set(source, open + 1);
    socket.once('close', () => {
      const remaining = (openBySource.get(source) ?? 1) - 1;
      if (remaining > 0) openBySource.set(source, remaining);
      else openBySource.delete(source);
    });
  }

  /** Logs the first refused connection of each minute, with the number of those since the last line. */
  function report(limit: string, source?: string): void {
    refusals += 1;
    const now = clock.now();
    if (now - reportedAt < reportInterval) return;
    log.warn('connections refused', { limit, source, refused: refusals });
    reportedAt = now;
    refusals = 0;
  }
}
