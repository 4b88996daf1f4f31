/** A client that is disconnected repeatedly does not leak timers, listeners or connections. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startSite, until, untilFinished } from './setup.ts';

const reconnectCount = 1_000;

describe('a thousand reconnects of a stream', () => {
  it('S30: leave as many timers, listeners and connections as the first twenty', async () => {
    const { proxy, openTab } = await startSite({
      agent: { model: { provider: 'scripted', script: [{ say: 'Hello.' }], delay_ms: 0 } },
    });
    const timers = new Set<unknown>();
    const clock = {
      now: Date.now,
      mono: () => performance.now(),
      setTimeout: (callback: () => void, milliseconds: number) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          callback();
        }, milliseconds);
        timers.add(timer);
        return timer;
      },
      clearTimeout: (timer: unknown) => {
        timers.delete(timer);
        clearTimeout(timer as NodeJS.Timeout);
      },
    };
    const { client, page, sent } = openTab({ ports: { clock } });
    const conversation = client.conversation();
    await conversation.send('Hi');
    await untilFinished(conversation);
    const isStream = ({ path }: { path: string }) => /\/sessions\?|\/events\/stream/.test(path);
    const open = () => proxy.connections.flatMap(({ requests }) => requests).filter(isStream);
    const reconnect = async () => {
      const [before] = open();
      proxy.cut('fin', ({ requests }) => requests.some(isStream));
      await until(() => open().some(({ id }) => id !== before?.id));
      await until(() => conversation.state.connection === 'open');
    };
    const count = async () => {
      await until(() => open().length === 1);
      await nextTurn();
      return { timers: timers.size, listeners: page.watchers, streams: open().length };
    };
    for (let warmUp = 0; warmUp < 20; warmUp += 1) await reconnect();
    const early = await count();
    sent.length = 0;

    for (let turn = 20; turn < reconnectCount; turn += 1) await reconnect();

    expect(await count()).toEqual(early);
    expect(proxy.counts.cuts.fin).toBeGreaterThanOrEqual(reconnectCount);
    // About one request for each reconnect.
    expect(sent.length).toBeLessThan(reconnectCount * 1.2);
    expect(conversation.state.entries).toHaveLength(2);
    client.close();
    await until(() => timers.size === 0 && page.watchers === 0 && open().length === 0);
  }, 300_000);
});
