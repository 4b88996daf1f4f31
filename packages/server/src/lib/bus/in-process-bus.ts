import type { Logger } from '../log/logger.ts';
import type { Bus, Subscription } from './bus.ts';
import { Listeners } from './listeners.ts';

const emptySubscription: Subscription = { ready: Promise.resolve(), end() {} };

/**
 * Creates a bus for a single process. If several processes share a store without Redis, each has such a
 * bus, and polls the store for changes of the others.
 */
export function createInProcessBus(log: Logger): Bus {
  const listeners = new Listeners(log);
  return {
    state: 'in_process',
    publish: async (message) => listeners.notify(message, 'here'),
    subscribe: (listener) => listeners.add(listener),
    follow: () => emptySubscription,
    mayHaveMissed: () => true,
    close: async () => {},
  };
}
