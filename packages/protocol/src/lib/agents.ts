import * as z from 'zod/mini';
import { BlockedEndUser } from './end-users.ts';
import { pageOf } from './pages.ts';

/**
 * The embed policy of an agent: bounds and defaults of its tokens (docs/conformance.md, 2.2).
 */
export const EmbedPolicyResource = z.looseObject({
  /** Lifetime of a token in seconds, if the request sets none. */
  default_ttl_seconds: z.int(),
  max_ttl_seconds: z.int(),
  /** Budget of one session in cents; null for no budget. */
  default_budget_cents: z.nullable(z.int()),
  max_budget_cents: z.nullable(z.int()),
  /** Cents that one signed-in user may spend per UTC day; null for no limit. */
  spend_cents_per_user_per_day: z.optional(z.nullable(z.int())),
  /** Origins of the pages that may use tokens. An empty list denies every origin. */
  allowed_origins: z.array(z.string()),
  /** Whether a token may replace the agent's instructions. */
  allow_agent_override: z.boolean(),
  /** Whether a signed-in user may take over the conversations that they had before as a visitor. */
  allow_visitor_claim: z.optional(z.boolean()),
  /** Agent version of a token, if the request sets none; null for the latest version. */
  pinned_version: z.nullable(z.string()),
  /**
   * Ids of the first blocked end users, whether the configuration or a block operation blocks them. The
   * list of blocked end users has all of them.
   */
  blocked_end_users: z.array(z.string()),
  /** Limits per end user. */
  limits: z.looseObject({ requests_per_second: z.int(), concurrent: z.int() }),
});
export type EmbedPolicyResource = z.infer<typeof EmbedPolicyResource>;

/** A publishable key with its status and limits. */
export const PublishableKeyResource = z.looseObject({
  type: z.literal('publishable_key'),
  key: z.string(),
  agent_id: z.string(),
  /** Free-text label, set by the owner of the key. */
  name: z.nullable(z.string()),
  /** `active`; after the key was replaced, `ending` until `ends_at`, then `ended`. */
  status: z.string(),
  /** Whether the configuration file declares the key; false if it was created at run time. */
  declared: z.boolean(),
  /** Origins that may use the key; null for all origins of the embed policy. */
  allowed_origins: z.nullable(z.array(z.string())),
  /** Maximum number of new sessions per UTC day, all visitors together. */
  sessions_per_day: z.int(),
  /** Maximum spend in cents per UTC day, all visitors together. */
  spend_cents_per_day: z.int(),
  /** Maximum number of new sessions per UTC day and visitor. */
  sessions_per_visitor_per_day: z.optional(z.int()),
  /** Maximum number of new sessions per UTC day and source: an IPv4 address or an IPv6 /64 network. */
  sessions_per_source_per_day: z.optional(z.int()),
  /** Maximum spend in cents per UTC day and visitor. */
  spend_cents_per_visitor_per_day: z.optional(z.int()),
  /** Maximum spend in cents per UTC day and source address. */
  spend_cents_per_source_per_day: z.optional(z.int()),
  /** Maximum bytes of uploaded files per UTC day, all visitors together. */
  file_bytes_per_day: z.optional(z.int()),
  /** Maximum bytes of uploaded files per UTC day and source. */
  file_bytes_per_source_per_day: z.optional(z.int()),
  /** Maximum bytes of files that visitors uploaded and have not sent. */
  unsent_file_bytes: z.optional(z.int()),
  /** Part of each quota that is reserved for known visitors and new networks, in percent. */
  reserve_percent: z.optional(z.int()),
  /** Maximum number of new visitors per hour and source address. */
  new_visitors_per_hour: z.int(),
  /** Maximum number of tokens per hour for one returning visitor. */
  refreshes_per_visitor_per_hour: z.optional(z.int()),
  /** Budget of one visitor session in cents; null for the default of the embed policy. */
  budget_cents: z.nullable(z.int()),
  created_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
});
export type PublishableKeyResource = z.infer<typeof PublishableKeyResource>;

export const PublishableKeyList = z.looseObject({ data: z.array(PublishableKeyResource) });
export const DeletedPublishableKey = z.looseObject({
  type: z.literal('publishable_key_deleted'),
  key: z.string(),
});

/** A tool of an agent. The code of a `function` tool is part of the platform's configuration. */
export const ToolResource = z.looseObject({
  type: z.string(),
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  /** `allow`, or `ask`: the user must confirm each call before it runs. */
  permission: z.optional(z.string()),
});
export type ToolResource = z.infer<typeof ToolResource>;

/**
 * The model of an agent. Contains the name of the API key's environment variable, never the key.
 */
const ModelResource = z.looseObject({ provider: z.string() });

const ModeResource = z.looseObject({ id: z.string(), label: z.string() });

const versionedFields = {
  instructions: z.string(),
  model: ModelResource,
  tools: z.array(ToolResource),
  modes: z.array(ModeResource),
};

/** An immutable version of an agent. A token keeps the version that it was issued for. */
export const AgentVersionResource = z.looseObject({
  type: z.literal('agent_version'),
  agent_id: z.string(),
  version: z.string(),
  /** Whether new tokens get this version: the policy pins it, or it is the latest. */
  default: z.boolean(),
  /** ISO 8601; null for a version that the configuration file declares. */
  created_at: z.nullable(z.string()),
  ...versionedFields,
});
export type AgentVersionResource = z.infer<typeof AgentVersionResource>;

export const AgentVersionList = z.looseObject({ data: z.array(AgentVersionResource) });

/** An agent as the admin API returns it. Contains no secrets. */
export const AgentResource = z.looseObject({
  type: z.literal('agent'),
  id: z.string(),
  short_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  /** The latest version. */
  version: z.string(),
  /** All versions, oldest first. */
  versions: z.array(z.string()),
  ...versionedFields,
  /** Embed policy; null if no tokens can be issued for this agent. */
  embed: z.nullable(EmbedPolicyResource),
  /** The users of `embed.blocked_end_users`, with the source of each entry. */
  blocked_end_users: z.array(BlockedEndUser),
  /** Number of all blocked end users. Earlier versions of the platform do not send it. */
  blocked_end_user_count: z.optional(z.int()),
  publishable_keys: z.array(PublishableKeyResource),
  appearance: z.record(z.string(), z.unknown()),
  /** Earlier versions of the platform do not send it. */
  retention: z.optional(
    z.looseObject({
      /** Days from the last message of a session to its deletion; null if the platform's apply. */
      sessions_days: z.nullable(z.int()),
    }),
  ),
  hosted: z.looseObject({ return_url: z.nullable(z.string()) }),
  /** Whether the configuration file declares the agent; false if it was created at run time. */
  declared: z.boolean(),
  created_at: z.nullable(z.string()),
  archived_at: z.nullable(z.string()),
});
export type AgentResource = z.infer<typeof AgentResource>;

export const AgentPage = pageOf(AgentResource);

/** The effects that a change of an embed policy would have. */
export const EmbedPolicyCheck = z.looseObject({
  type: z.literal('embed_policy_check'),
  agent_id: z.string(),
  /** Access that storing the change would end: that of users whom it blocks. */
  ends: z.looseObject({
    users: z.number(),
    /** Live tokens of these users. */
    tokens: z.number(),
    /** Conversations of these users with an answer in progress. */
    running_sessions: z.number(),
  }),
  /** Live tokens that go beyond the changed policy. */
  refuses: z.looseObject({
    tokens: z.number(),
    /** The settings that refuse them. A token can count for several. */
    settings: z.array(z.looseObject({ pointer: z.string(), tokens: z.number() })),
  }),
  /** Origins whose pages were refused in the last 24 hours, those with the most requests first. */
  refused_origins: z.array(
    z.looseObject({
      origin: z.string(),
      requests: z.number(),
      /** ISO 8601. */
      last_refused_at: z.string(),
      /** Whether the changed policy allows the origin. */
      allowed: z.boolean(),
    }),
  ),
  /** Refused requests of further origins, which are not listed. */
  other_refused_requests: z.number(),
});
export type EmbedPolicyCheck = z.infer<typeof EmbedPolicyCheck>;
