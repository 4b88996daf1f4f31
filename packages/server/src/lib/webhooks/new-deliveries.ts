import { idPrefix } from '@inlay/protocol';
import { sql } from 'kysely';
import { newIdAt } from '../random.ts';
import { prepareBySize } from '../store/prepared.ts';
import type { WebhookDeliveriesTable } from '../store/schema.ts';
import type { WebhookServices } from './webhook-endpoints.ts';

/** The columns that a new delivery sets. */
export type NewDelivery = Pick<
  WebhookDeliveriesTable,
  | 'id'
  | 'endpoint_id'
  | 'event_type'
  | 'agent_id'
  | 'external_user_id'
  | 'session_id'
  | 'data'
  | 'lane'
  | 'position'
  | 'status'
  | 'run_after'
  | 'created_at'
>;

/** Creates the row of a delivery. That of a disabled endpoint is finished: it can only be sent again. */
export function newDelivery(
  { clock, random }: Pick<WebhookServices, 'clock' | 'random'>,
  { endpointId, isDisabled }: { endpointId: string; isDisabled: boolean },
  event: Pick<
    NewDelivery,
    'event_type' | 'agent_id' | 'external_user_id' | 'session_id' | 'data' | 'position'
  >,
): NewDelivery {
  const now = clock.now();
  return {
    ...event,
    id: newIdAt(random, now, idPrefix.webhookDelivery),
    endpoint_id: endpointId,
    lane: isDisabled || event.session_id === null ? null : `${endpointId}:${event.session_id}`,
    status: isDisabled ? 'skipped' : 'queued',
    run_after: isDisabled ? null : now,
    created_at: now,
  };
}

/**
 * Inserts deliveries. A delivery is not due before those of its lane, so that the queue of an endpoint
 * that fails has few rows that are due and cannot be performed.
 */
export const insertDeliveries = prepareBySize(
  (size, db) =>
    db.insertInto('webhook_deliveries').values(
      Array.from({ length: size }, () => ({
        id: '',
        endpoint_id: '',
        event_type: '',
        agent_id: '',
        external_user_id: '',
        session_id: '',
        data: '',
        lane: '',
        position: 0,
        status: 'queued' as const,
        created_at: 0,
        run_after: sql<number>`coalesce((
          select max(run_after) from webhook_deliveries where lane = ${''} and run_after > ${0}
        ), ${0})`,
      })),
    ),
  (rows: readonly NewDelivery[]) =>
    rows.flatMap((row) => [
      row.id,
      row.endpoint_id,
      row.event_type,
      row.agent_id,
      row.external_user_id,
      row.session_id,
      row.data,
      row.lane,
      row.position,
      row.status,
      row.created_at,
      row.lane,
      row.run_after,
      row.run_after,
    ]),
);
