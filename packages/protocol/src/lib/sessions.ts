import * as z from 'zod/mini';
import { UserMessageInput } from './inputs.ts';
import { pageOf } from './pages.ts';
import { Metadata } from './tokens.ts';

export const SessionStatus = z.enum(['idle', 'running', 'rescheduling', 'terminated']);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** What a session may spend and has spent. Cents may have fractions: tokens are cheap. */
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

/** One conversation of one end user. */
export const Session = z.looseObject({
  type: z.literal('session'),
  id: z.string(),
  agent: z.looseObject({
    type: z.literal('agent'),
    id: z.string(),
    name: z.string(),
    version: z.string(),
  }),
  /** A string, so that one that this version does not know can be read. */
  status: z.string(),
  title: z.nullable(z.string()),
  /** The beginning of what the person said first; null before that. For lists. */
  preview: z.optional(z.nullable(z.string())),
  metadata: z.record(z.string(), z.string()),
  /** Null where the token's policy sets no budget. */
  budget: z.nullable(SessionBudget),
  usage: SessionUsage,
  created_at: z.string(),
  updated_at: z.string(),
  archived_at: z.nullable(z.string()),
  /** Why it was ended, in words for the person; null while it was not, or without words. */
  terminated_reason: z.optional(z.nullable(z.string())),
});
export type Session = z.infer<typeof Session>;

export const SessionPage = pageOf(Session);

/** `POST /agent/v1/sessions`. Unknown fields pass. */
export const CreateSessionRequest = z.object({
  title: z.optional(
    z.nullable(z.string().check(z.maxLength(200, 'must have at most 200 characters'))),
  ),
  metadata: z.optional(Metadata),
  /** The first messages, so that a conversation starts with one round trip. */
  initial_events: z.optional(
    z.array(UserMessageInput).check(z.maxLength(20, 'must have at most 20 events')),
  ),
  /** Where given, it must be the token's agent: an id, or an object with one. */
  agent: z.optional(z.union([z.string(), z.looseObject({ id: z.string() })])),
});
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

/** `POST /agent/v1/sessions/{id}`. A field that is left out stays; metadata keys set to null go. */
export const UpdateSessionRequest = z.object({
  title: z.optional(
    z.nullable(z.string().check(z.maxLength(200, 'must have at most 200 characters'))),
  ),
  metadata: z.optional(z.nullable(z.record(z.string(), z.nullable(z.string())))),
});
export type UpdateSessionRequest = z.infer<typeof UpdateSessionRequest>;

/** `POST /agent/v1/sessions/{id}/terminate`, with an API key: the conversation is over for good. */
export const TerminateSessionRequest = z.object({
  /** Why, in words for the person. */
  reason: z.optional(
    z.nullable(z.string().check(z.maxLength(500, 'must have at most 500 characters'))),
  ),
});
export type TerminateSessionRequest = z.infer<typeof TerminateSessionRequest>;

/** `POST /agent/v1/embed/forget_me`: what was deleted of the person whose token asked. */
export const Forgotten = z.looseObject({
  type: z.literal('forgotten'),
  external_user_id: z.string(),
  sessions: z.int(),
  files: z.int(),
});
export type Forgotten = z.infer<typeof Forgotten>;
