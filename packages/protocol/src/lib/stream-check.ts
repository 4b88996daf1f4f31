import * as z from 'zod/mini';

/** Number and interval of the messages of `GET /agent/v1/embed/stream_check`. */
export const streamCheck = { messages: 3, intervalMs: 250 } as const;

/**
 * A failed call of an agent's model. It names neither the model nor its address, because pages receive
 * it. The server's log contains both.
 */
export const ModelFailure = z.looseObject({
  /** ISO 8601. */
  failed_at: z.string(),
  /**
   * `http_error`: the model responded with the status `status`. `network`: it could not be reached, or the
   * connection was lost. `timeout`: its response did not start in time, or stopped. `other`: see the log of
   * the server.
   */
  kind: z.enum(['http_error', 'network', 'timeout', 'other']),
  /** HTTP status of the model's response; only with `http_error`. */
  status: z.optional(z.int()),
});
export type ModelFailure = z.infer<typeof ModelFailure>;

/** A message of the stream check. */
export const StreamCheckMessage = z.looseObject({
  type: z.literal('stream_check'),
  /** Counts from 1. */
  n: z.int(),
  /**
   * Only in the first message, and only if the last call of the agent's model failed. A server knows calls
   * since its start.
   */
  model: z.optional(ModelFailure),
});
export type StreamCheckMessage = z.infer<typeof StreamCheckMessage>;
