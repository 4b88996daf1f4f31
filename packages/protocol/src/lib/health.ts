import * as z from 'zod/mini';

/** `GET /meta/v1/health`. */
export const Health = z.looseObject({ status: z.literal('ok'), version: z.string() });
export type Health = z.infer<typeof Health>;
