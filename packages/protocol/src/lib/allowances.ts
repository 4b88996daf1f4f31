import * as z from 'zod/mini';

/** How much of something that is bounded is used up. */
export const Allowance = z.looseObject({
  /** `session`: the budget of this conversation. `day`: what all may spend on one UTC day. */
  type: z.string(),
  /** From 0 to 1. */
  used: z.number(),
  /** When it begins anew; null for never. */
  resets_at: z.nullable(z.string()),
});
export type Allowance = z.infer<typeof Allowance>;
