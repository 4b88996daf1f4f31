import * as z from 'zod/mini';

/**
 * `GET /meta/v1/health`. `degraded`: it works, but processes do not hear of each other, so that some
 * things take seconds which take milliseconds otherwise; or the disk of the store is full, so that
 * nothing can be written.
 */
export const Health = z.looseObject({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  store: z.optional(z.enum(['ok', 'full'])),
  bus: z.optional(z.enum(['in_process', 'redis', 'redis_down'])),
});
export type Health = z.infer<typeof Health>;
