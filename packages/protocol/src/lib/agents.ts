import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** What embed tokens of an agent may be (service reference, section 2.2). */
export const EmbedPolicyResource = z.looseObject({
  /** Lifetime of a token that asks for none, in seconds. */
  default_ttl_seconds: z.int(),
  max_ttl_seconds: z.int(),
  /** What one session may spend, in cents; null for no budget. */
  default_budget_cents: z.nullable(z.int()),
  max_budget_cents: z.nullable(z.int()),
  /** Pages that may use tokens. An empty list denies every one. */
  allowed_origins: z.array(z.string()),
  /** Whether a token may replace the agent's instructions. */
  allow_agent_override: z.boolean(),
  /** Version that tokens get unless they ask for another; null for the latest. */
  pinned_version: z.nullable(z.string()),
  blocked_end_users: z.array(z.string()),
  /** Limits of one end user. */
  limits: z.looseObject({ requests_per_second: z.int(), concurrent: z.int() }),
});
export type EmbedPolicyResource = z.infer<typeof EmbedPolicyResource>;

/** A publishable key, and whether it may be used. */
export const PublishableKeyResource = z.looseObject({
  type: z.literal('publishable_key'),
  key: z.string(),
  agent_id: z.string(),
  /** What it is for, in its owner's words. */
  name: z.nullable(z.string()),
  /** `ending` until `ends_at`, after it was replaced; `ended` from then on. */
  status: z.string(),
  /** Whether it stands in the agent's settings, rather than having been made at run time. */
  declared: z.boolean(),
  /** Null: all origins of the embed policy. */
  allowed_origins: z.nullable(z.array(z.string())),
  /** Sessions begun in a UTC day, by all visitors together. */
  sessions_per_day: z.int(),
  /** Cents spent in a UTC day, by all visitors together. */
  spend_cents_per_day: z.int(),
  /** Sessions begun in a UTC day by one visitor. */
  sessions_per_visitor_per_day: z.optional(z.int()),
  /** Sessions begun in a UTC day by all visitors of one source address. */
  sessions_per_source_per_day: z.optional(z.int()),
  /** Cents spent in a UTC day by one visitor. */
  spend_cents_per_visitor_per_day: z.optional(z.int()),
  /** Cents spent in a UTC day by all visitors of one source address. */
  spend_cents_per_source_per_day: z.optional(z.int()),
  /** New visitors from one source address in an hour. */
  new_visitors_per_hour: z.int(),
  /** Tokens that one returning visitor may get in an hour. */
  refreshes_per_visitor_per_hour: z.optional(z.int()),
  /** What one session of a visitor may spend, in cents; null for the policy's default. */
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

/** A tool of an agent. The code of a `function` tool stands in the platform's configuration. */
export const ToolResource = z.looseObject({
  type: z.string(),
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  /** `allow`, or `ask`: the user must confirm each call before it runs. */
  permission: z.optional(z.string()),
});
export type ToolResource = z.infer<typeof ToolResource>;

/** The model of an agent. It names the variable of its key, never the key. */
const ModelResource = z.looseObject({ provider: z.string() });

const ModeResource = z.looseObject({ id: z.string(), label: z.string() });

const versioned = {
  instructions: z.string(),
  model: ModelResource,
  tools: z.array(ToolResource),
  modes: z.array(ModeResource),
};

/** What a version settles. It never changes; a token that has it keeps it. */
export const AgentVersionResource = z.looseObject({
  type: z.literal('agent_version'),
  agent_id: z.string(),
  version: z.string(),
  /** Whether it is the one that new tokens get, by the policy or as the latest. */
  default: z.boolean(),
  /** Null for one that the configuration file declares. */
  created_at: z.nullable(z.string()),
  ...versioned,
});
export type AgentVersionResource = z.infer<typeof AgentVersionResource>;

export const AgentVersionList = z.looseObject({ data: z.array(AgentVersionResource) });

/** An agent, as a backend sees it. It holds no secret. */
export const AgentResource = z.looseObject({
  type: z.literal('agent'),
  id: z.string(),
  short_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  /** The latest version. */
  version: z.string(),
  /** Every version, oldest first. */
  versions: z.array(z.string()),
  ...versioned,
  /** Null: no token can be issued. */
  embed: z.nullable(EmbedPolicyResource),
  publishable_keys: z.array(PublishableKeyResource),
  appearance: z.record(z.string(), z.unknown()),
  hosted: z.looseObject({ return_url: z.nullable(z.string()) }),
  /** Whether the configuration file declares it, rather than having been made at run time. */
  declared: z.boolean(),
  created_at: z.nullable(z.string()),
  archived_at: z.nullable(z.string()),
});
export type AgentResource = z.infer<typeof AgentResource>;

export const AgentPage = pageOf(AgentResource);
