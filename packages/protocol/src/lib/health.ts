import * as z from 'zod/mini';

/**
 * `GET /meta/v1/health`. `degraded`: it works, but processes do not hear of each other, so that some
 * things take seconds which take milliseconds otherwise.
 */
export const Health = z.looseObject({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  store: z.optional(z.literal('ok')),
  bus: z.optional(z.enum(['in_process', 'redis', 'redis_down'])),
});
export type Health = z.infer<typeof Health>;
