import { sql } from 'kysely';
import { dayMs } from '../clock.ts';
import { deleteSome, type SweepStep } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';

/**
 * Returns a step that deletes the deliveries whose event is older than
 * `retention.webhook_deliveries_days`.
 */
export function webhookSweep({
  store,
  clock,
  config,
}: Pick<ServiceOptions, 'store' | 'clock' | 'config'>): SweepStep {
  return () => {
    const before = clock.now() - config.retention.webhook_deliveries_days * dayMs;
    return deleteSome(store.db, 'webhook_deliveries', ['id'], sql`created_at < ${before}`);
  };
}
