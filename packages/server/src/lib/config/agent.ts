import { limits, StarterPrompt } from '@inlay/protocol';
import * as z from 'zod';
import { ModelConfig } from './model.ts';
import { explainPattern } from './origin-pattern.ts';
import { ToolConfig } from './tools.ts';

const Origin = z.string().superRefine((value, context) => {
  const wrong = explainPattern(value);
  if (wrong !== null) context.addIssue(wrong);
});

const Ttl = z.int().min(limits.ttlSeconds.min).max(limits.ttlSeconds.max);
const Cents = z.int().min(0);

/** How fast one party may call, and how many of its requests may be under way, streams included. */
export const CallLimits = z.strictObject({
  requests_per_second: z.int().min(1),
  concurrent: z.int().min(1),
});
export type CallLimits = z.output<typeof CallLimits>;

/** What embed tokens of an agent may be (service reference, section 2.2). */
export const EmbedPolicy = z
  .strictObject({
    /** Lifetime of a token that asks for none, in seconds. */
    default_ttl_seconds: Ttl.default(600),
    max_ttl_seconds: Ttl.default(limits.ttlSeconds.max),
    /** What one session may spend, in cents, where issuance says nothing. Null: no budget. */
    default_budget_cents: Cents.nullable().default(null),
    /** Null: no maximum. With one, a token without a budget gets the maximum. */
    max_budget_cents: Cents.nullable().default(null),
    /** Pages that may use tokens of this agent. An empty list denies every one. */
    allowed_origins: z.array(Origin).default([]),
    /** Whether a token may replace the agent's instructions. */
    allow_agent_override: z.boolean().default(false),
    /** Version that tokens get unless they ask for another; null for the latest. */
    pinned_version: z.string().nullable().default(null),
    blocked_end_users: z.array(z.string()).default([]),
    /** Limits of one end user. */
    limits: CallLimits.default({ requests_per_second: 20, concurrent: 8 }),
  })
  .superRefine((policy, context) => {
    if (policy.default_ttl_seconds > policy.max_ttl_seconds) {
      context.addIssue({
        code: 'custom',
        path: ['default_ttl_seconds'],
        message: 'must not be over max_ttl_seconds',
      });
    }
    const { default_budget_cents: budget, max_budget_cents: most } = policy;
    if (budget !== null && most !== null && budget > most) {
      context.addIssue({
        code: 'custom',
        path: ['default_budget_cents'],
        message: 'must not be over max_budget_cents',
      });
    }
  });
export type EmbedPolicy = z.output<typeof EmbedPolicy>;

/** A public key for visitors who are not signed in, with what it may cost. */
export const PublishableKey = z.strictObject({
  key: z.string().regex(/^pk_[A-Za-z0-9_-]{1,120}$/, 'must be `pk_` and letters, digits, _ or -'),
  /** A subset of the policy's origins; all of them by default. */
  allowed_origins: z.array(Origin).optional(),
  /** Sessions begun in a UTC day, by all visitors together. */
  sessions_per_day: z.int().min(0).default(1000),
  /** Cents spent in a UTC day, by all visitors together. */
  spend_cents_per_day: Cents.default(1000),
  /** New visitors from one source address in an hour. Returning visitors do not count. */
  new_visitors_per_hour: z.int().min(0).default(30),
  /** What one session of a visitor may spend, in cents; the policy's default where left out. */
  budget_cents: Cents.optional(),
});
export type PublishableKey = z.output<typeof PublishableKey>;

/** How the agent appears in the widget. */
export const Appearance = z.strictObject({
  greeting: z.string().nullable().default(null),
  starter_prompts: z.array(StarterPrompt).default([]),
  /** One line under the composer. */
  disclaimer: z.string().nullable().default(null),
  theme: z
    .strictObject({
      accent: z.string().optional(),
      color_scheme: z.enum(['light', 'dark', 'auto']).optional(),
    })
    .default({}),
  /** Origins from which images in answers may be loaded. None by default. */
  image_origins: z.array(Origin).default([]),
  features: z
    .strictObject({
      attachments: z.boolean().default(true),
      feedback: z.boolean().default(true),
      threads: z.boolean().default(true),
    })
    .prefault({}),
});
export type Appearance = z.output<typeof Appearance>;

/** An earlier version that tokens can still be pinned to; what is left out is as in the latest. */
const PreviousVersion = z.strictObject({
  instructions: z.string().optional(),
  model: ModelConfig.optional(),
  tools: z.array(ToolConfig).optional(),
});

export const AgentConfig = z
  .strictObject({
    /** `agt_…`; made from the short id where left out, so that it is the same at every start. */
    id: z
      .string()
      .regex(/^agt_[A-Za-z0-9_-]{1,64}$/, 'must be `agt_` and letters, digits, _ or -')
      .optional(),
    short_id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and -'),
    name: z.string().min(1),
    /** One line under the name. */
    description: z.string().nullable().default(null),
    /** What the agent is told about itself. */
    instructions: z.string().default(''),
    /** Name of the version that this is: the latest. */
    version: z.string().min(1).default('1'),
    previous_versions: z.record(z.string(), PreviousVersion).default({}),
    model: ModelConfig,
    tools: z.array(ToolConfig).default([]),
    embed: EmbedPolicy.prefault({}),
    publishable_keys: z.array(PublishableKey).default([]),
    appearance: Appearance.prefault({}),
    hosted: z
      .strictObject({
        /** Where a hosted page leads a person back to. */
        return_url: z
          .url({ protocol: /^https?$/ })
          .nullable()
          .default(null),
      })
      .prefault({}),
  })
  .superRefine((agent, context) => {
    const pinned = agent.embed.pinned_version;
    if (
      pinned !== null &&
      pinned !== agent.version &&
      !Object.hasOwn(agent.previous_versions, pinned)
    ) {
      context.addIssue({
        code: 'custom',
        path: ['embed', 'pinned_version'],
        message: 'must be `version` or one of `previous_versions`',
      });
    }
  });
export type AgentConfig = z.output<typeof AgentConfig>;
