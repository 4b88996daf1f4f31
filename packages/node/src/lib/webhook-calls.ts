import {
  DeletedWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointPage,
  type WebhookEventType,
  WebhookReplay,
} from '@inlay/protocol';
import type { Call } from './call.ts';
import { type PageParams, pageQuery } from './page-query.ts';
import { rejectUnknown } from './reject-unknown.ts';

/** Settings of a webhook endpoint. */
export interface WebhookEndpointSettings {
  /** Receives the events with POST. It must use HTTPS, and have a public address. */
  url: string;
  events: readonly WebhookEventType[];
  /**
   * `text`: the events contain the texts of messages and feedback.
   *
   * @default []
   */
  include?: readonly 'text'[];
  /** A description for your own use. */
  description?: string | null;
}

export interface ListDeliveriesParams extends PageParams {
  status?: 'queued' | 'in_progress' | 'delivered' | 'failed' | 'skipped';
}

/** A period of events: times in RFC 3339. `to` is exclusive. */
export interface WebhookPeriod {
  from: string;
  to: string;
}

/** Methods for webhook endpoints and the deliveries to them. */
export function webhookCalls(call: Call) {
  const base = 'webhook_endpoints';
  return {
    /** Lists endpoints, newest first. */
    list: async (params: PageParams = {}) =>
      call('GET', [base], WebhookEndpointPage, {
        query: pageQuery('webhookEndpoints.list', params),
      }),

    get: (id: string) => call('GET', [base, id], WebhookEndpoint),

    /** Creates an endpoint. Only this response and that of `rotateSecret` have the `secret`. */
    create: (settings: WebhookEndpointSettings) =>
      call('POST', [base], WebhookEndpoint, { body: settings, retry: 'rejected' }),

    /** Changes an endpoint. `disabled: false` enables one again that was disabled. */
    update: (id: string, changes: Partial<WebhookEndpointSettings> & { disabled?: boolean }) =>
      call('POST', [base, id], WebhookEndpoint, { body: changes }),

    /** Deletes an endpoint with its deliveries. */
    delete: (id: string) => call('DELETE', [base, id], DeletedWebhookEndpoint),

    /** Replaces the secret. For 24 hours, the replaced one signs as well. */
    rotateSecret: (id: string) =>
      call('POST', [base, id, 'rotate_secret'], WebhookEndpoint, { retry: 'rejected' }),

    /** Sends an event of the type `webhook.test`. */
    test: (id: string) => call('POST', [base, id, 'test'], WebhookDelivery, { retry: 'rejected' }),

    /** Lists deliveries, newest first. With `status`, a page may be short and still have a `next_page`. */
    async deliveries(id: string, { status, limit, page, ...unknown }: ListDeliveriesParams = {}) {
      rejectUnknown('webhookEndpoints.deliveries', unknown, 'status, limit and page');
      const query = { status, limit, page };
      return call('GET', [base, id, 'deliveries'], WebhookDeliveryPage, { query });
    },

    /** Sends a delivery again, with the same `webhook-id`. */
    resend: (id: string, deliveryId: string) =>
      call('POST', [base, id, 'deliveries', deliveryId, 'resend'], WebhookDelivery, {
        retry: 'rejected',
      }),

    /** Sends all deliveries of a period again, with the same `webhook-id`. */
    replay: (id: string, period: WebhookPeriod) =>
      call('POST', [base, id, 'replay'], WebhookReplay, { body: period, retry: 'rejected' }),
  };
}
