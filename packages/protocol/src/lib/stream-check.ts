import * as z from 'zod/mini';

/** Number and interval of the messages of `GET /agent/v1/embed/stream_check`. */
export const streamCheck = { messages: 3, intervalMs: 250 } as const;

/** A message of the stream check; `n` counts from 1. */
export const StreamCheckMessage = z.looseObject({ type: z.literal('stream_check'), n: z.int() });
export type StreamCheckMessage = z.infer<typeof StreamCheckMessage>;
