import { describeError, type Logger } from '../log/logger.ts';
import type { Bus, BusMessage } from './bus.ts';

/** The bus of a single process: listeners are called before `publish` resolves. */
export function createInProcessBus(log: Logger): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  return {
    async publish(message) {
      for (const listener of listeners) {
        try {
          listener(message);
        } catch (error) {
          log.error('bus listener failed', { kind: message.kind, ...describeError(error) });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
