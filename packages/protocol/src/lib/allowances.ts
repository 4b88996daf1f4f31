import * as z from 'zod/mini';

/** The used share of a budget. */
export const Allowance = z.looseObject({
  /** `session`: budget of this session. `day`: shared budget of all visitors per UTC day. */
  type: z.string(),
  /** Used share, from 0 to 1. */
  used: z.number(),
  /** Time of the next reset, ISO 8601; null for never. */
  resets_at: z.nullable(z.string()),
});
export type Allowance = z.infer<typeof Allowance>;
