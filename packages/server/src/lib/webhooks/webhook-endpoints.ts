import { idPrefix, type WebhookDelivery, type WebhookEndpoint } from '@inlay/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Bus } from '../bus/bus.ts';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import type { Random } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema, WebhookDeliveriesTable, WebhookEndpointsTable } from '../store/schema.ts';
import type { Worker } from '../workers/worker.ts';

export type WebhookServices = Pick<
  ServiceOptions,
  'store' | 'clock' | 'random' | 'log' | 'config' | 'metrics' | 'lookupHost'
> & { readonly bus: Bus; readonly worker: Worker };

/**
 * Changes webhook endpoints. Call `publishChange` of the outbox after it, so that the processes load the
 * change.
 */
export function changeEndpoints<Result>(
  { store }: Pick<WebhookServices, 'store'>,
  change: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return store.transaction(async (db) => {
    // Locks the row, so that changes are serialized.
    await db
      .insertInto('webhook_changes')
      .values({ id: 1, revision: 1 })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ revision: sql`webhook_changes.revision + 1` }),
      )
      .execute();
    return change(db);
  });
}

/** Creates a secret in the format of Standard Webhooks: 24 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return idPrefix.webhookSecret + Buffer.from(random.bytes(24)).toString('base64');
}

/** Converts a row to the endpoint of the API, without the secret. */
export function toWebhookEndpoint(row: Selectable<WebhookEndpointsTable>): WebhookEndpoint {
  const timeOrNull = (time: number | null) => isoTimeOrNull(time === null ? null : Number(time));
  return {
    type: 'webhook_endpoint',
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events),
    include: JSON.parse(row.include),
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    disabled_reason: row.disabled_reason,
    disabled_at: timeOrNull(row.disabled_at),
    failing_since: timeOrNull(row.failing_since),
    previous_secret_ends_at: timeOrNull(row.previous_secret_ends_at),
    created_at: isoTime(Number(row.created_at)),
    updated_at: isoTime(Number(row.updated_at)),
  };
}

/** Converts a row to the delivery of the API. */
export function toWebhookDelivery(row: Selectable<WebhookDeliveriesTable>): WebhookDelivery {
  const { last_attempt_at: lastAttempt, run_after: runAfter, response_status: status } = row;
  return {
    type: 'webhook_delivery',
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_type: row.event_type,
    data: JSON.parse(row.data),
    status: row.status,
    attempts: Number(row.attempt),
    created_at: isoTime(Number(row.created_at)),
    last_attempt_at: isoTimeOrNull(lastAttempt === null ? null : Number(lastAttempt)),
    next_attempt_at:
      row.status === 'queued' && runAfter !== null ? isoTime(Number(runAfter)) : null,
    error: row.error,
    response: status === null ? null : { status, body: row.response_body ?? '' },
  };
}
