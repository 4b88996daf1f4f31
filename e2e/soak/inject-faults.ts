import { setTimeout as sleep } from 'node:timers/promises';
import {
  badGateway,
  type CutKind,
  captivePortal,
  type Match,
  unavailable,
} from '../fault-proxy/fault.ts';
import type { FaultProxy } from '../fault-proxy/fault-proxy.ts';

/** Milliseconds between two faults. */
const intervalMs = 1000;
/** Maximum number of pending rules; older ones are removed. */
const maxRules = 30;

const streamRequest: Match = { method: 'GET', path: '/events/stream', times: 1 };
const postRequest: Match = { method: 'POST', path: '/sessions', times: 1 };

export interface FaultInjector {
  /** Number of injected faults by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Stops the injection, and removes all faults. */
  stop(): Promise<void>;
}

/**
 * Injects a fault every second, in shuffled rounds of all kinds.
 *
 * @param onNetwork Called when the network goes offline or online.
 */
export function injectFaults(
  proxy: FaultProxy,
  onNetwork: (online: boolean) => void,
): FaultInjector {
  const counts: Record<string, number> = {};
  const ending = new AbortController();
  const kinds: Record<string, () => void | Promise<void>> = {
    'half-open': () => cutRandomConnection(proxy, 'half-open'),
    reset: () => cutRandomConnection(proxy, 'reset'),
    'clean end': () => cutRandomConnection(proxy, 'fin'),
    'cut inside a stream': () =>
      void proxy.faults.add(
        { type: 'cut', how: randomCutKind(), after: randomBelow(6000) },
        streamRequest,
      ),
    'cut inside a request': () =>
      void proxy.faults.add(
        { type: 'cut', how: 'reset', side: 'request', after: randomBelow(500) },
        postRequest,
      ),
    'lost response': () =>
      void proxy.faults.add({ type: 'lose-answer', how: randomCutKind() }, postRequest),
    'request sent twice': () =>
      void proxy.faults.add(
        { type: 'duplicate', answer: randomItem(['first', 'second']) },
        postRequest,
      ),
    'buffered stream': () =>
      void proxy.faults.add({ type: 'buffer', head: randomBoolean() }, streamRequest),
    'responses out of order': () => void proxy.faults.add({ type: 'reorder' }, postRequest),
    'slow stream': () =>
      void proxy.faults.add({ type: 'throttle', bytesPerSecond: 2000 }, streamRequest),
    'split stream': () => void proxy.faults.add({ type: 'split', bytes: 3 }, streamRequest),
    'late response': () => void proxy.faults.add({ type: 'delay', ms: 3000 }, postRequest),
    '502': () => void proxy.faults.add(badGateway, { times: 3 }),
    '503 for a processed request': () =>
      void proxy.faults.add(
        { ...unavailable(1), reachesServer: true },
        { method: 'POST', times: 2 },
      ),
    'captive portal': () => void proxy.faults.add(captivePortal, { times: 3 }),
    offline: async () => {
      onNetwork(false);
      proxy.goOffline(randomCutKind());
      await sleep(1000 + randomBelow(4000), undefined, { signal: ending.signal }).catch(() => {});
      proxy.goOnline();
      onNetwork(true);
    },
  };

  const run = async () => {
    let order: string[] = [];
    while (!ending.signal.aborted) {
      if (order.length === 0) order = shuffled(Object.keys(kinds));
      const kind = order.pop() ?? 'reset';
      counts[kind] = (counts[kind] ?? 0) + 1;
      await kinds[kind]?.();
      for (const rule of proxy.faults.list.slice(0, -maxRules)) rule.remove();
      await sleep(intervalMs, undefined, { signal: ending.signal }).catch(() => {});
    }
    proxy.faults.clear();
  };
  const running = run();
  return {
    counts,
    stop() {
      ending.abort();
      return running;
    },
  };
}

/** Cuts a random connection with a pending request, usually a stream. */
function cutRandomConnection(proxy: FaultProxy, how: CutKind): void {
  const busy = proxy.connections.filter(({ requests }) => requests.length > 0);
  if (busy.length > 0) randomItem(busy).cut(how);
}

const randomCutKind = (): CutKind => randomItem(['half-open', 'reset', 'fin']);
const randomBoolean = () => Math.random() < 0.5;
const randomBelow = (end: number) => Math.floor(Math.random() * end);

function randomItem<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  const item = items[randomBelow(items.length)];
  if (item === undefined) throw new RangeError('The list is empty.');
  return item;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
