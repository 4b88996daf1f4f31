import * as z from 'zod/mini';

/**
 * Response of `GET /meta/v1/health`. `degraded` has one of two causes: notifications between
 * server processes fail, so that events are delivered with a delay of seconds (polling); or the
 * disk of the store is full, so that writes fail.
 */
export const Health = z.looseObject({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  store: z.optional(z.enum(['ok', 'full'])),
  bus: z.optional(z.enum(['in_process', 'redis', 'redis_down'])),
});
export type Health = z.infer<typeof Health>;
