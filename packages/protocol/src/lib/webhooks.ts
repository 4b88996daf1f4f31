import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** Types of the events that a webhook endpoint can receive. */
export const webhookEventTypes = [
  'session.created',
  'message.created',
  'answer.completed',
  'answer.failed',
  'feedback.created',
  'session.terminated',
  'budget.reached',
  'token.revoked',
  'end_user.blocked',
  'end_user.unblocked',
  'end_user.erased',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** `data` of an event. Which members it has depends on the type. */
export const WebhookData = z.looseObject({
  agent_id: z.optional(z.string()),
  external_user_id: z.optional(z.string()),
  session_id: z.optional(z.string()),
  /** The event of the session's log. */
  event_id: z.optional(z.string()),
  /** Author of a message: `user` or `agent`. */
  role: z.optional(z.string()),
  /** Of feedback: `up` or `down`. */
  rating: z.optional(z.string()),
  /** Id of a revoked token. */
  token_id: z.optional(z.string()),
  /** Id of the erasure, whose receipt the request got. The event does not name the user. */
  erasure_id: z.optional(z.string()),
  /** Of a test: the endpoint. */
  endpoint_id: z.optional(z.string()),
  /** Only if the endpoint includes texts; null for feedback and ends without one. */
  text: z.optional(z.nullable(z.string())),
});
export type WebhookData = z.infer<typeof WebhookData>;

/** An address of the host's backend that receives events. */
export const WebhookEndpoint = z.looseObject({
  type: z.literal('webhook_endpoint'),
  id: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  events: z.array(z.string()),
  /** `text`: events contain the texts of messages and feedback. */
  include: z.array(z.string()),
  /** `enabled` or `disabled`. */
  status: z.string(),
  /**
   * `request`: by the API; `gone`: the address has responded with 410; `failing`: all deliveries of
   * five days have failed. Null for an enabled endpoint.
   */
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(z.string()),
  /** Time of the first failure since the last success; null after a success. */
  failing_since: z.nullable(z.string()),
  /** When the secret that the last rotation replaced stops signing; null without one. */
  previous_secret_ends_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  /** The secret of the signatures (`whsec_…`), only in the responses of creation and rotation. */
  secret: z.optional(z.string()),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointPage = pageOf(WebhookEndpoint);

/** Response of `DELETE /agent/v1/webhook_endpoints/{id}`. */
export const DeletedWebhookEndpoint = z.looseObject({
  type: z.literal('webhook_endpoint_deleted'),
  id: z.string(),
});
export type DeletedWebhookEndpoint = z.infer<typeof DeletedWebhookEndpoint>;

/** An event on its way to an endpoint. */
export const WebhookDelivery = z.looseObject({
  type: z.literal('webhook_delivery'),
  /** The `webhook-id` of all attempts. */
  id: z.string(),
  endpoint_id: z.string(),
  event_type: z.string(),
  /** The `data` of the event, without texts. */
  data: WebhookData,
  /**
   * `queued`: waits for its first or next attempt; `in_progress`; `delivered`; `failed`: the last
   * attempt has failed; `skipped`: the endpoint was disabled.
   */
  status: z.string(),
  attempts: z.int(),
  created_at: z.string(),
  last_attempt_at: z.nullable(z.string()),
  /** Earliest time of the next attempt; null if there is none. */
  next_attempt_at: z.nullable(z.string()),
  /** Reason of the last failure; null after a success. */
  error: z.nullable(z.string()),
  /** The last response; `body` is its first 4,096 bytes. Null if there was none. */
  response: z.nullable(z.looseObject({ status: z.int(), body: z.string() })),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryPage = pageOf(WebhookDelivery);

/** Response of `POST /agent/v1/webhook_endpoints/{id}/replay`. */
export const WebhookReplay = z.looseObject({
  type: z.literal('webhook_replay'),
  endpoint_id: z.string(),
  /** Number of deliveries that were queued again. */
  queued: z.int(),
});
export type WebhookReplay = z.infer<typeof WebhookReplay>;

/** The body of a delivery. Newer platforms may have other types. */
export const WebhookEvent = z.looseObject({
  type: z.string(),
  /** Time of the event, in RFC 3339. */
  timestamp: z.string(),
  data: WebhookData,
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
