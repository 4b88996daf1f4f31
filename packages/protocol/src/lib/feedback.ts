import * as z from 'zod/mini';

/** Why an answer was good or bad. The widget has words for these in every language. */
export const feedbackReasons = [
  'correct',
  'helpful',
  'clear',
  'incorrect',
  'incomplete',
  'unclear',
  'off_topic',
  'unsafe',
  'other',
] as const;

/** `POST /agent/v1/sessions/{id}/feedback`. A second one about the same event replaces the first. */
export const FeedbackRequest = z.object({
  event_id: z.string().check(z.minLength(1, 'must name an agent.message')),
  rating: z.enum(['up', 'down']),
  reasons: z.optional(
    z.array(z.enum(feedbackReasons)).check(z.maxLength(9, 'must have at most 9 reasons')),
  ),
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
  reasons: z.optional(z.array(z.string())),
  comment: z.nullable(z.string()),
  created_at: z.string(),
});
export type Feedback = z.infer<typeof Feedback>;

/** `GET /agent/v1/sessions/{id}/feedback`: what the person said about answers of the session. */
export const FeedbackList = z.looseObject({ data: z.array(Feedback) });
export type FeedbackList = z.infer<typeof FeedbackList>;
