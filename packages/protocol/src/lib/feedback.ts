import * as z from 'zod/mini';
import { pageOf } from './pages.ts';
import { SessionRecord } from './sessions.ts';

/** Feedback reasons that a user can select. The widget has translations for them. */
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

/** Body of `POST /agent/v1/sessions/{id}/feedback`. Replaces earlier feedback on the same event. */
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

/** Response of `GET /agent/v1/sessions/{id}/feedback`: the user's feedback in this session. */
export const FeedbackList = z.looseObject({ data: z.array(Feedback) });
export type FeedbackList = z.infer<typeof FeedbackList>;

/** A rating in the list for backends, with what was rated. */
export const FeedbackRecord = z.extend(Feedback, {
  /** The first 500 characters of the rated message. */
  text: z.string(),
  /** The first 500 characters of the user's message before it; null if there is none. */
  question: z.nullable(z.string()),
  session: SessionRecord,
});
export type FeedbackRecord = z.infer<typeof FeedbackRecord>;

/** Response of `GET /agent/v1/feedback`. */
export const FeedbackRecordPage = pageOf(FeedbackRecord);
