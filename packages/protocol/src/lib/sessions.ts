import * as z from 'zod/mini';
import { UserCardActionInput, UserMessageInput } from './inputs.ts';
import { pageOf } from './pages.ts';
import { Metadata } from './tokens.ts';

export const SessionStatus = z.enum(['idle', 'running', 'rescheduling', 'terminated']);
export type SessionStatus = z.infer<typeof SessionStatus>;

/**
 * How the last answer of a session ended: completely, with an error, at the end of the budget, or because
 * the user stopped it.
 */
export const SessionOutcome = z.enum(['answered', 'failed', 'budget', 'interrupted']);
export type SessionOutcome = z.infer<typeof SessionOutcome>;

/**
 * Budget and spend of a session. Cents may be fractional, because a model request may cost less
 * than one.
 */
export const SessionBudget = z.looseObject({
  limit_cents: z.number(),
  spent_cents: z.number(),
});
export type SessionBudget = z.infer<typeof SessionBudget>;

export const SessionUsage = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  spent_cents: z.number(),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** Members of a session that only backends read. */
const recordFields = {
  external_user_id: z.string(),
  /** The token that created the session, or that of the user who claimed it. */
  issuance_id: z.string(),
  /** The publishable key of a visitor; null for a user of the host. */
  publishable_key: z.nullable(z.string()),
  agent_version: z.string(),
  /** Cost of the session so far. Cents may be fractional. */
  spent_cents: z.number(),
  /** How the last answer ended: a `SessionOutcome`; null if there is none yet. Expect unknown values. */
  outcome: z.nullable(z.string()),
};

/** A conversation of one end user. */
export const Session = z.looseObject({
  type: z.literal('session'),
  id: z.string(),
  agent: z.looseObject({
    type: z.literal('agent'),
    id: z.string(),
    name: z.string(),
    version: z.string(),
  }),
  /** Not an enum, so that clients accept statuses of newer servers. */
  status: z.string(),
  title: z.nullable(z.string()),
  /** Beginning of the first user message, for lists; null before the first message. */
  preview: z.optional(z.nullable(z.string())),
  /** Beginning of the last message of the user or the agent, for lists; null if there is none. */
  last_message: z.optional(z.nullable(z.string())),
  /** Time of the last message, by which lists are sorted. */
  active_at: z.optional(z.string()),
  /** Whether the last run ended with `requires_action`: a tool call waits, for example for an approval. */
  requires_action: z.optional(z.boolean()),
  metadata: z.record(z.string(), z.string()),
  /** Null if the embed policy sets no budget. */
  budget: z.nullable(SessionBudget),
  usage: SessionUsage,
  created_at: z.string(),
  updated_at: z.string(),
  archived_at: z.nullable(z.string()),
  /** Reason of the termination, written for the user; null if none was given. */
  terminated_reason: z.optional(z.nullable(z.string())),
  /** Only with an API key, as the following members. See `SessionRecord`. */
  external_user_id: z.optional(recordFields.external_user_id),
  issuance_id: z.optional(recordFields.issuance_id),
  publishable_key: z.optional(recordFields.publishable_key),
  agent_version: z.optional(recordFields.agent_version),
  spent_cents: z.optional(recordFields.spent_cents),
  outcome: z.optional(recordFields.outcome),
});
export type Session = z.infer<typeof Session>;

export const SessionPage = pageOf(Session);

/** A session as backends read it with an API key: with its user, and the token that created it. */
export const SessionRecord = z.extend(Session, recordFields);
export type SessionRecord = z.infer<typeof SessionRecord>;

export const SessionRecordPage = pageOf(SessionRecord);

/** Response of `DELETE /agent/v1/sessions/{id}`. */
export const DeletedSession = z.object({ type: z.literal('session_deleted'), id: z.string() });
export type DeletedSession = z.infer<typeof DeletedSession>;

/** Body of `POST /agent/v1/sessions`. Unknown fields are ignored. */
export const CreateSessionRequest = z.object({
  title: z.optional(
    z.nullable(z.string().check(z.maxLength(200, 'must have at most 200 characters'))),
  ),
  metadata: z.optional(Metadata),
  /**
   * Events to append to the new session, so that a conversation starts with a single request: messages,
   * or first the answer to the welcome card.
   */
  initial_events: z.optional(
    z
      .array(z.discriminatedUnion('type', [UserMessageInput, UserCardActionInput]))
      .check(z.maxLength(20, 'must have at most 20 events')),
  ),
  /** Agent id, or an object with the id. Must be the agent of the token. */
  agent: z.optional(z.union([z.string(), z.looseObject({ id: z.string() })])),
});
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

/**
 * Body of `POST /agent/v1/sessions/{id}`. Absent fields keep their values; null as the value of a
 * metadata key deletes the key.
 */
export const UpdateSessionRequest = z.object({
  title: z.optional(
    z.nullable(z.string().check(z.maxLength(200, 'must have at most 200 characters'))),
  ),
  metadata: z.optional(z.nullable(z.record(z.string(), z.nullable(z.string())))),
});
export type UpdateSessionRequest = z.infer<typeof UpdateSessionRequest>;

/** Body of `POST /agent/v1/sessions/{id}/terminate`, which requires an API key. */
export const TerminateSessionRequest = z.object({
  /** Reason, written for the user. */
  reason: z.optional(
    z.nullable(z.string().check(z.maxLength(500, 'must have at most 500 characters'))),
  ),
});
export type TerminateSessionRequest = z.infer<typeof TerminateSessionRequest>;

/** Response of `POST /agent/v1/embed/forget_me`: what was deleted for the user of the token. */
export const Forgotten = z.looseObject({
  type: z.literal('forgotten'),
  external_user_id: z.string(),
  sessions: z.int(),
  files: z.int(),
});
export type Forgotten = z.infer<typeof Forgotten>;
