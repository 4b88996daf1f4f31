import * as z from 'zod/mini';
import { limits, utf8Length } from './limits.ts';
import { pageOf } from './pages.ts';

/**
 * A stable id of a user in the host's system (docs/conformance.md, 4.1). `.` and `..` are invalid,
 * because the id is a path segment of some endpoints, and URL parsers remove these segments.
 */
export const ExternalUserId = z
  .string()
  .check(
    z.minLength(1, 'must have at least 1 character'),
    z.maxLength(limits.externalUserIdLength, 'must have at most 128 characters'),
    z.regex(
      /^[A-Za-z0-9_.:@-]*$/,
      'may hold only A-Z a-z 0-9 _ . : @ - (toExternalUserId of @inlay/node encodes any other id)',
    ),
    z.regex(
      /^(?!\.{1,2}$)/,
      'must not be `.` or `..` (toExternalUserId of @inlay/node encodes them)',
    ),
  );

/** Up to 16 string values of at most 512 characters, stored unchanged. */
export const Metadata = z.record(z.string(), z.string()).check(
  z.refine(
    (value) => Object.keys(value).length <= limits.metadata.keys,
    'must have at most 16 keys',
  ),
  z.refine(
    (value) =>
      Object.keys(value).every(
        (key) => key.length >= 1 && countCodePoints(key) <= limits.metadata.keyLength,
      ),
    'keys must have 1 to 64 characters',
  ),
  z.refine(
    (value) =>
      Object.values(value).every((text) => countCodePoints(text) <= limits.metadata.valueLength),
    'values must have at most 512 characters',
  ),
);
export type Metadata = z.infer<typeof Metadata>;

/** Counts Unicode code points, so that an emoji outside the BMP counts as one. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A text block. Other fields are rejected, because the model would ignore them. */
const SystemBlock = z.strictObject({
  /** `text`. */
  type: z.literal('text'),
  /** The text. */
  text: z.string(),
});

/** Features of a token, by the names of `features` in `EmbedConfig`. */
export const TokenFeatures = z.strictObject({
  /** Whether the user can attach files. */
  attachments: z.optional(z.boolean()),
  /** Whether the user can rate answers. */
  feedback: z.optional(z.boolean()),
  /** Whether the user can list and search earlier conversations. */
  threads: z.optional(z.boolean()),
  /** Whether the user can edit and resend a message, and regenerate an answer. */
  edit: z.optional(z.boolean()),
  /** Whether the user can export conversations. */
  export: z.optional(z.boolean()),
  /** Whether the user can delete conversations. */
  delete: z.optional(z.boolean()),
  /** Whether the user can delete all their data. */
  forget_me: z.optional(z.boolean()),
});
export type TokenFeatures = z.infer<typeof TokenFeatures>;

/**
 * Body of `POST /agent/v1/embed_tokens` (docs/conformance.md, 4.1). Unknown fields are
 * rejected, because ignoring a misspelt restriction would issue a token with too many rights.
 */
export const IssueTokenRequest = z.strictObject({
  /** Id or short id of an agent that has an embed policy. */
  agent: z.string().check(z.minLength(1, 'must name an agent')),
  external_user_id: ExternalUserId,
  /**
   * Lifetime in seconds, 60 to 3600 and at most the maximum of the embed policy.
   *
   * @default the policy's `default_ttl_seconds`
   */
  ttl_seconds: z.optional(
    z
      .int('must be a whole number of seconds')
      .check(
        z.minimum(limits.ttlSeconds.min, 'must be at least 60'),
        z.maximum(limits.ttlSeconds.max, 'must be at most 3600'),
      ),
  ),
  /**
   * Agent version to pin.
   *
   * @default the pinned version of the embed policy, or the latest version at issue time
   */
  version: z.optional(z.string().check(z.minLength(1, 'must name a version'))),
  /**
   * Facts about this user for the agent. At most 8192 UTF-8 bytes in total, counted over the
   * texts of all blocks.
   */
  system_message: z.optional(
    z
      .array(SystemBlock)
      .check(
        z.refine(
          (blocks) =>
            blocks.reduce((bytes, { text }) => bytes + utf8Length(text), 0) <=
            limits.systemMessageBytes,
          'must have at most 8192 bytes in the texts of all blocks: shorten them',
        ),
      ),
  ),
  /** Replaces the agent's instructions, if the policy allows it. */
  agent_override: z.optional(
    z.strictObject({
      /** The instructions. */
      system: z
        .string()
        .check(z.refine((text) => !text.includes('\0'), 'must not hold the character U+0000')),
    }),
  ),
  /**
   * Budget of one session in cents, at most the policy's `max_budget_cents`. Each model of the agent and
   * its modes needs a price.
   *
   * @default the policy's `default_budget_cents`
   */
  budget_cents: z.optional(
    z.int('must be a whole number of cents').check(z.minimum(0, 'must not be negative')),
  ),
  /**
   * Subset of the origins of the embed policy.
   *
   * @default all origins of the policy
   */
  allowed_origins: z.optional(z.array(z.string())),
  /** Up to 16 strings of your own, stored with the record. */
  metadata: z.optional(Metadata),
  /**
   * Features that this token disables with `false`. `true` is accepted if the agent's settings enable
   * the feature.
   *
   * @default the features of the agent's settings
   */
  features: z.optional(TokenFeatures),
  /**
   * The only conversation that this token opens: a session of this user with this agent. The token can
   * neither list nor create others.
   */
  session_id: z.optional(z.string()),
  /** Whether the response includes a `hosted_url`. */
  hosted: z.optional(z.boolean()),
});
export type IssueTokenRequest = z.infer<typeof IssueTokenRequest>;

export const IssueTokenResponse = z.looseObject({
  id: z.string(),
  /** The secret. Returned only in this response. */
  token: z.string(),
  expires_at: z.string(),
  /**
   * Present if `hosted` was true. Its fragment, `#c=…`, is a single-use code that is valid for 60
   * seconds.
   */
  hosted_url: z.optional(z.string()),
});
export type IssueTokenResponse = z.infer<typeof IssueTokenResponse>;

/** An issuance record, as lists and revocations return it. Never includes the token. */
export const IssuanceRecord = z.looseObject({
  type: z.literal('embed_token'),
  id: z.string(),
  agent_id: z.string(),
  agent_version: z.string(),
  external_user_id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  revoked_at: z.nullable(z.string()),
  budget_cents: z.nullable(z.int()),
  allowed_origins: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
  features: TokenFeatures,
  /** The only conversation that the token opens; null if it opens all of the user. */
  session_id: z.nullable(z.string()),
  /** Whether the token was issued to an anonymous visitor by a publishable key. */
  anonymous: z.boolean(),
  /**
   * `key:` and the name of the API key, or its id if it has no name; null for a visitor. Earlier versions of
   * the platform do not send it.
   */
  issued_by: z.optional(z.nullable(z.string())),
});
export type IssuanceRecord = z.infer<typeof IssuanceRecord>;

export const IssuanceRecordPage = pageOf(IssuanceRecord);

/** Body of `POST /agent/v1/embed/exchange` (docs/conformance.md, 4.2). */
export const ExchangeRequest = z.object({
  code: z.string('must be the code of a hosted link'),
});
export type ExchangeRequest = z.infer<typeof ExchangeRequest>;

export const ExchangeResponse = z.looseObject({ token: z.string(), expires_at: z.string() });
export type ExchangeResponse = z.infer<typeof ExchangeResponse>;

/** Body of `POST /agent/v1/embed_tokens/anonymous` (docs/conformance.md, 4.3). */
export const AnonymousTokenRequest = z.looseObject({
  publishable_key: z.string().check(z.minLength(1, 'must be a publishable key')),
  /** `visitor_secret` of an earlier response. An unknown secret creates a new visitor. */
  visitor_secret: z.optional(z.nullable(z.string())),
  /** Answer to the challenge, after an `EMBED_CHALLENGE_REQUIRED`. At most 4096 characters. */
  challenge_answer: z.optional(
    z.string().check(z.maxLength(4096, 'must have at most 4096 characters')),
  ),
});
export type AnonymousTokenRequest = z.infer<typeof AnonymousTokenRequest>;

export const AnonymousTokenResponse = z.looseObject({
  token: z.string(),
  expires_at: z.string(),
  /**
   * Present for new visitors only. A credential that identifies the visitor later; keep it private.
   */
  visitor_secret: z.optional(z.string()),
});
export type AnonymousTokenResponse = z.infer<typeof AnonymousTokenResponse>;

/** Body of `POST /agent/v1/embed/claim`. */
export const VisitorClaimRequest = z.object({
  /** `visitor_secret` of the visitor, as this browser stores it. */
  visitor_secret: z
    .string('must be the secret of a visitor')
    .check(z.maxLength(200, 'must have at most 200 characters')),
  /** Whether to change nothing, and only count the conversations. */
  dry_run: z.optional(z.boolean()),
});
export type VisitorClaimRequest = z.infer<typeof VisitorClaimRequest>;

/** Response of `POST /agent/v1/embed/claim`. */
export const VisitorClaim = z.looseObject({
  type: z.literal('visitor_claim'),
  /** The user of the token, to whom the conversations belong. */
  external_user_id: z.string(),
  /** Number of conversations with a message that this request moved, or would move. */
  sessions: z.int(),
});
export type VisitorClaim = z.infer<typeof VisitorClaim>;
