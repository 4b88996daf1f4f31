import * as z from 'zod/mini';

/** What `GET /agent/v1/embed/stream_check` sends: so many messages, so many milliseconds apart. */
export const streamCheck = { messages: 3, intervalMs: 250 } as const;

/** One of them; `n` counts from 1. */
export const StreamCheckMessage = z.looseObject({ type: z.literal('stream_check'), n: z.int() });
export type StreamCheckMessage = z.infer<typeof StreamCheckMessage>;
