import type { Logger } from '../log/logger.ts';
import type { Bus, Subscription } from './bus.ts';
import { Listeners } from './listeners.ts';

const emptySubscription: Subscription = { ready: Promise.resolve(), end() {} };

/**
 * Creates a bus for a single process. If several processes share a store without Redis, each has such a
 * bus, and polls the store for changes of the others.
 *
 * @param options.isAlone Whether no other process uses the store.
 */
export function createInProcessBus(log: Logger, { isAlone = false } = {}): Bus {
  const listeners = new Listeners(log);
  return {
    state: 'in_process',
    publish: async (message) => listeners.notify(message, 'here'),
    subscribe: (listener) => listeners.add(listener),
    follow: () => emptySubscription,
    mayHaveMissed: () => !isAlone,
    close: async () => {},
  };
}
