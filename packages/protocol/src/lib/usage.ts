import * as z from 'zod/mini';

const count = z.int();
const milliseconds = z.nullable(z.int());
const name = z.optional(z.nullable(z.string()));

/** Sums of a day, an agent, a version, a model or a publishable key, as the report is grouped. */
export const UsageRow = z.looseObject({
  /** UTC day, `YYYY-MM-DD`. Only the members of `group_by` are present. */
  day: name,
  /** Id of the agent. */
  agent: name,
  version: name,
  /** Null for amounts without a model call, such as messages and ratings. */
  model: name,
  /** Null for the users of the host. */
  publishable_key: name,
  /** Conversations that began. */
  sessions: count,
  /** Users who were active; null in a report by model. */
  end_users: z.nullable(z.int()),
  user_messages: count,
  /** Complete answers. */
  answers: count,
  answers_failed: count,
  /** Answers that the user stopped. */
  interrupted: count,
  /** Messages without an answer, because a budget was used up. */
  refused_by_quota: count,
  ratings_up: count,
  ratings_down: count,
  input_tokens: count,
  output_tokens: count,
  /** Cents may be fractional. */
  spent_cents: z.number(),
  /** Time of a model call in milliseconds, half of the calls and 95 % of them; null without calls. */
  answer_ms_p50: milliseconds,
  answer_ms_p95: milliseconds,
  /** Time until the first text or tool call. */
  first_token_ms_p50: milliseconds,
  first_token_ms_p95: milliseconds,
});
export type UsageRow = z.infer<typeof UsageRow>;

/** Response of `GET /agent/v1/usage`. */
export const UsageReport = z.looseObject({
  from: z.string(),
  to: z.string(),
  data: z.array(UsageRow),
});
export type UsageReport = z.infer<typeof UsageReport>;
