import * as z from 'zod/mini';

/** `POST /agent/v1/sessions/{id}/feedback`. A second one about the same event replaces the first. */
export const FeedbackRequest = z.object({
  event_id: z.string().check(z.minLength(1, 'must name an agent.message')),
  rating: z.enum(['up', 'down']),
  comment: z.optional(
    z.nullable(z.string().check(z.maxLength(2000, 'must have at most 2000 characters'))),
  ),
});
export type FeedbackRequest = z.infer<typeof FeedbackRequest>;

export const Feedback = z.looseObject({
  type: z.literal('feedback'),
  session_id: z.string(),
  event_id: z.string(),
  rating: z.enum(['up', 'down']),
  comment: z.nullable(z.string()),
  created_at: z.string(),
});
export type Feedback = z.infer<typeof Feedback>;
