import { expect, it, onTestFinished } from 'vitest';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { systemClock } from '../clock.ts';
import { parseConfig } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import { createAgentRegistry } from './agent-registry.ts';

async function createRegistry(size: number) {
  const config = parseConfig(
    {
      agents: Array.from({ length: size }, (_, number) => ({
        short_id: `agent-${number}`,
        name: 'Agent',
        model: { provider: 'scripted' },
        embed: {
          allowed_origins: [`https://${number}.example`, `https://*.customer-${number}.example`],
        },
      })),
    },
    'The configuration of the test',
  );
  const log = createLogger(systemClock.now, () => {});
  const store = await createSqliteStore({ data: 'memory' });
  const bus = createInProcessBus(log);
  const registry = await createAgentRegistry({ config, store, bus, clock: systemClock, log });
  onTestFinished(async () => {
    registry.close();
    await store.close();
  });
  return registry;
}

it('the check of an origin does not take longer with more agents', async () => {
  const registries = new Map([
    [100, await createRegistry(100)],
    [800, await createRegistry(800)],
  ]);
  const check = (size: number) => {
    const registry = registries.get(size);
    for (let round = 0; round < 5000; round += 1) {
      const origins = [`https://${size - 1}.example`, `https://a.customer-${size - 1}.example`];
      for (const origin of origins) {
        if (!registry?.knowsOrigin(origin)) throw new Error(`${origin} is not known.`);
      }
      if (registry?.knowsOrigin(`https://a.b.unknown-${round}.example`)) throw new Error('Known.');
    }
  };

  expect(await cpuGrowth(check, 100)).toBeLessThan(3);
});
