import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** Response of the three operations on an end user (docs/conformance.md, 4.6). */
export const EndUser = z.looseObject({
  type: z.literal('end_user'),
  agent_id: z.string(),
  external_user_id: z.string(),
  blocked: z.boolean(),
  /** Number of tokens that this request revoked. */
  revoked_tokens: z.int(),
});
export type EndUser = z.infer<typeof EndUser>;

/** A blocked end user of an agent. */
export const BlockedEndUser = z.looseObject({
  external_user_id: z.string(),
  /** `configuration`: set in the agent's settings; `operation`: by the block operation. */
  source: z.string(),
  /** Time of the block operation; null for an entry of the configuration. */
  blocked_at: z.nullable(z.string()),
});
export type BlockedEndUser = z.infer<typeof BlockedEndUser>;

export const BlockedEndUserPage = pageOf(BlockedEndUser);

/** An end user who has written to an agent. */
export const EndUserRecord = z.looseObject({
  type: z.literal('end_user_record'),
  agent_id: z.string(),
  external_user_id: z.string(),
  /** Whether the person is a visitor with a publishable key. */
  anonymous: z.boolean(),
  blocked: z.boolean(),
  first_seen_at: z.string(),
  /** Time of the last message in a conversation that is still stored. */
  last_seen_at: z.string(),
  /** Number of stored conversations. */
  sessions: z.int(),
  /** Cost of the stored conversations. Cents may be fractional. */
  spent_cents: z.number(),
  /** Number of tokens that are valid now. */
  live_tokens: z.int(),
});
export type EndUserRecord = z.infer<typeof EndUserRecord>;

export const EndUserRecordPage = pageOf(EndUserRecord);
/** Body of `POST /agent/v1/agents/{id}/end_users/{external_user_id}/erase`. */
export const EraseEndUserRequest = z.strictObject({
  /**
   * Whether a blocked user stays blocked, by a pseudonym in place of the id.
   *
   * @default false
   */
  keep_block: z.optional(z.boolean()),
});
export type EraseEndUserRequest = z.infer<typeof EraseEndUserRequest>;

/** Receipt of the erasure of an end user. It does not contain the id of the user. */
export const Erasure = z.looseObject({
  type: z.literal('erasure'),
  id: z.string(),
  agent_id: z.string(),
  /** When everything was deleted. */
  erased_at: z.string(),
  /** Whether the user stays blocked. */
  block_kept: z.boolean(),
  /** Numbers of deleted objects. */
  deleted: z.looseObject({
    sessions: z.int(),
    /** Events of these sessions. */
    events: z.int(),
    feedback: z.int(),
    files: z.int(),
    /** Issuance records of tokens. */
    embed_tokens: z.int(),
    /** Earlier versions of the platform do not send it. */
    consents: z.optional(z.int()),
  }),
});
export type Erasure = z.infer<typeof Erasure>;
