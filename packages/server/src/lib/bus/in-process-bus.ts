import type { Logger } from '../log/logger.ts';
import type { Bus, Followed } from './bus.ts';
import { Listeners } from './listeners.ts';

const nothingElsewhere: Followed = { ready: Promise.resolve(), end() {} };

/**
 * The bus of a single process: listeners are called before `publish` resolves. Where several share a
 * store without Redis they hear nothing of each other, and look into the store.
 */
export function createInProcessBus(log: Logger): Bus {
  const listeners = new Listeners(log);
  return {
    state: 'in_process',
    publish: async (message) => listeners.tell(message, 'here'),
    subscribe: (listener) => listeners.add(listener),
    follow: () => nothingElsewhere,
    mayHaveMissed: () => true,
    close: async () => {},
  };
}
