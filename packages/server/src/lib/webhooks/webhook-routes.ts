import {
  DeletedWebhookEndpoint,
  idPrefix,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookReplay,
} from '@inlay/protocol';
import { type Selectable, sql } from 'kysely';
import { recordOperation } from '../audit/audit.ts';
import { readFilteredPage } from '../http/filtered-page.ts';
import { decodeCursor, encodeCursor, isAfter, toPage } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { ApiError, invalidField, notFound } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import { deleteInSteps } from '../retention/sweep-step.ts';
import type { Services } from '../services.ts';
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../store/schema.ts';
import { insertDeliveries, newDelivery } from './new-deliveries.ts';
import { AddressError, resolvePublicHost } from './public-address.ts';
import { isFinished, replayDeliveries } from './replay-deliveries.ts';
import {
  changeEndpoints,
  newWebhookSecret,
  toWebhookDelivery,
  toWebhookEndpoint,
} from './webhook-endpoints.ts';
import {
  CreateWebhookEndpointRequest,
  DeliveryQuery,
  EndpointQuery,
  ReplayRequest,
  UpdateWebhookEndpointRequest,
} from './webhook-requests.ts';

const base = '/agent/v1/webhook_endpoints';
/** Maximum endpoints, because each event is written once for each of them. */
const maximumEndpoints = 20;
/** Milliseconds for which a replaced secret signs as well. */
const secretOverlap = 24 * 3_600_000;

type DeliveryRow = Selectable<WebhookDeliveriesTable>;

/** Routes for webhook endpoints. They are additions to the API of docs/conformance.md. */
export function webhookRoutes(services: Services): Route[] {
  const { store, clock, random, config, lookupHost, webhooks } = services;
  const shared = {
    audience: 'backend',
    tag: 'Webhooks',
    response: WebhookEndpoint,
    problems: ['NOT_FOUND'],
  } as const;

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: base,
        summary: 'List webhook endpoints, newest first',
        query: EndpointQuery,
        response: WebhookEndpointPage,
      },
      async ({ query }) => {
        const rows = await store.db
          .selectFrom('webhook_endpoints')
          .selectAll()
          .where(isAfter('created_at', decodeCursor('webhook_endpoints', query.page)))
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(query.limit + 1)
          .execute();
        const timeOf = (row: WebhookEndpointsTable) => Number(row.created_at);
        return toPage('webhook_endpoints', rows, query.limit, timeOf, toWebhookEndpoint);
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: base,
        summary: 'Create a webhook endpoint',
        description:
          'The response is the only one with the `secret` of the signatures. Other processes send events after at most two seconds.',
        body: CreateWebhookEndpointRequest,
        problems: ['CONFLICT'],
      },
      async ({ body }) => {
        await checkUrl(body.url);
        const now = clock.now();
        const row: WebhookEndpointsTable = {
          id: newId(random, idPrefix.webhookEndpoint),
          url: body.url,
          description: body.description,
          events: JSON.stringify(body.events),
          include: JSON.stringify(body.include),
          secret: newWebhookSecret(random),
          previous_secret: null,
          previous_secret_ends_at: null,
          disabled_at: null,
          disabled_reason: null,
          failing_since: null,
          created_at: now,
          updated_at: now,
        };
        await changeEndpoints(services, async (db) => {
          const rows = await db.selectFrom('webhook_endpoints').select('id').execute();
          if (rows.length >= maximumEndpoints) {
            throw new ApiError(
              'CONFLICT',
              `There are already ${maximumEndpoints} webhook endpoints. Delete one first.`,
            );
          }
          await db.insertInto('webhook_endpoints').values(row).execute();
        });
        await webhooks.publishChange();
        return { ...toWebhookEndpoint(row), secret: row.secret };
      },
    ),

    route(
      { ...shared, method: 'get', path: `${base}/:id`, summary: 'Read a webhook endpoint' },
      async ({ param }) => toWebhookEndpoint(await findEndpoint(param('id'))),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id`,
        summary: 'Change a webhook endpoint',
        description:
          'Members that are left out keep their value. `disabled: false` enables an endpoint again that was disabled.',
        body: UpdateWebhookEndpointRequest,
      },
      async ({ param, body }) => {
        const { id } = await findEndpoint(param('id'));
        if (body.url !== undefined) await checkUrl(body.url);
        const now = clock.now();
        const { events, include, disabled, url, description } = body;
        await changeEndpoints(services, (db) =>
          db
            .updateTable('webhook_endpoints')
            .set({
              updated_at: now,
              ...(url !== undefined && { url }),
              ...(description !== undefined && { description }),
              ...(events && { events: JSON.stringify(events) }),
              ...(include && { include: JSON.stringify(include) }),
              ...(disabled === false && {
                disabled_at: null,
                disabled_reason: null,
                failing_since: null,
              }),
              ...(disabled && {
                disabled_at: sql<number>`coalesce(disabled_at, ${now})`,
                disabled_reason: sql<'request'>`coalesce(disabled_reason, 'request')`,
              }),
            })
            .where('id', '=', id)
            .execute(),
        );
        await webhooks.publishChange();
        return toWebhookEndpoint(await findEndpoint(id));
      },
    ),

    route(
      {
        ...shared,
        method: 'delete',
        path: `${base}/:id`,
        summary: 'Delete a webhook endpoint',
        description: 'Its deliveries are deleted as well, also those that are queued.',
        response: DeletedWebhookEndpoint,
      },
      async ({ param }) => {
        const { id } = await findEndpoint(param('id'));
        await changeEndpoints(services, (db) =>
          db.deleteFrom('webhook_endpoints').where('id', '=', id).execute(),
        );
        await webhooks.publishChange();
        await deleteInSteps(store.db, 'webhook_deliveries', ['id'], sql`endpoint_id = ${id}`);
        return { type: 'webhook_endpoint_deleted' as const, id };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/rotate_secret`,
        summary: 'Replace the secret of a webhook endpoint',
        description:
          'The response has the new `secret`. For 24 hours, the replaced secret signs as well, so that the receiver can be updated.',
      },
      async ({ param }) => {
        const { id } = await findEndpoint(param('id'));
        const secret = newWebhookSecret(random);
        const now = clock.now();
        await store.transaction((db) =>
          db
            .updateTable('webhook_endpoints')
            .set((eb) => ({
              secret,
              previous_secret: eb.ref('secret'),
              previous_secret_ends_at: now + secretOverlap,
              updated_at: now,
            }))
            .where('id', '=', id)
            .execute(),
        );
        return { ...toWebhookEndpoint(await findEndpoint(id)), secret };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/test`,
        summary: 'Send a test event to a webhook endpoint',
        description:
          'The event has the type `webhook.test`. Read its delivery to see the response.',
        response: WebhookDelivery,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => {
        const { id } = await findEnabled(param('id'));
        const row = newDelivery(
          services,
          { endpointId: id, isDisabled: false },
          {
            event_type: 'webhook.test',
            agent_id: null,
            external_user_id: null,
            session_id: null,
            data: JSON.stringify({ endpoint_id: id }),
            position: 0,
          },
        );
        await store.transaction((db) => insertDeliveries(db, [row]));
        webhooks.deliver([id]);
        return toWebhookDelivery(await findDelivery(id, row.id));
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${base}/:id/deliveries`,
        summary: 'List the deliveries to a webhook endpoint, newest first',
        description: 'With `status`, a page may be short or empty and still have a `next_page`.',
        query: DeliveryQuery,
        response: WebhookDeliveryPage,
      },
      async ({ param, query }) => {
        const { id } = await findEndpoint(param('id'));
        const { status, limit } = query;
        const { rows, next } = await readFilteredPage<DeliveryRow>(store.db, {
          table: 'webhook_deliveries',
          sortedBy: { time: 'created_at', id: 'id' },
          indexed: [sql`endpoint_id = ${id}`],
          filters: status === undefined ? [] : [sql`status = ${status}`],
          position: decodeCursor('webhook_deliveries', query.page),
          limit,
        });
        const cursor = next && encodeCursor('webhook_deliveries', next);
        return { data: rows.map(toWebhookDelivery), next_cursor: cursor, next_page: cursor };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/deliveries/:delivery/resend`,
        summary: 'Send a delivery again',
        description:
          'It has the same `webhook-id`, and all its attempts again. One that waits for its next attempt is sent now.',
        response: WebhookDelivery,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => {
        const { id } = await findEnabled(param('id'));
        const delivery = await findDelivery(id, param('delivery'));
        await store.transaction(async (db) => {
          const update = () => db.updateTable('webhook_deliveries').where('id', '=', delivery.id);
          await update().set({ run_after: clock.now() }).where('status', '=', 'queued').execute();
          await update()
            .set({ status: 'queued', attempt: 0, run_after: clock.now() })
            .where(isFinished)
            .execute();
        });
        webhooks.deliver([id]);
        return toWebhookDelivery(await findDelivery(id, delivery.id));
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/replay`,
        summary: 'Send the deliveries of a period again',
        description:
          'Queues all finished deliveries of the events from `from` until before `to`, also those that were delivered, or skipped while the endpoint was disabled. They have the same `webhook-id` as before.',
        body: ReplayRequest,
        response: WebhookReplay,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body }) => {
        const { id } = await findEnabled(param('id'));
        // Recorded before its steps, which are not one transaction.
        await recordOperation(store.db);
        const queued = await replayDeliveries(services, id, body);
        webhooks.deliver([id]);
        return { type: 'webhook_replay' as const, endpoint_id: id, queued };
      },
    ),
  ];

  async function checkUrl(url: string): Promise<void> {
    try {
      await resolvePublicHost(new URL(url), config.webhooks.allowed_private_hosts, lookupHost);
    } catch (error) {
      if (error instanceof AddressError) throw invalidField('/url', error.message);
      throw error;
    }
  }

  async function findEndpoint(id: string): Promise<Selectable<WebhookEndpointsTable>> {
    const row = await store.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (row) return row;
    throw notFound(
      `There is no webhook endpoint of this id. Ids begin with \`${idPrefix.webhookEndpoint}\`.`,
    );
  }

  async function findEnabled(id: string): Promise<Selectable<WebhookEndpointsTable>> {
    const row = await findEndpoint(id);
    if (row.disabled_at === null) return row;
    throw new ApiError(
      'CONFLICT',
      'This webhook endpoint is disabled. Enable it first, with `disabled: false`.',
    );
  }

  async function findDelivery(endpointId: string, id: string): Promise<DeliveryRow> {
    const row = await store.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .where('endpoint_id', '=', endpointId)
      .executeTakeFirst();
    if (row) return row;
    throw notFound('There is no delivery of this id to this endpoint, or it was deleted.');
  }
}
