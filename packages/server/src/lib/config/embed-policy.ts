import { ExternalUserId, limits } from '@inlay/protocol';
import * as z from 'zod';
import { coversPattern, explainPattern } from './origin-pattern.ts';

/** One of the forms that `explainPattern` takes. */
export const Origin = z.string().superRefine((value, context) => {
  const wrong = explainPattern(value);
  if (wrong !== null) context.addIssue(wrong);
});

const { min, max } = limits.ttlSeconds;
const Ttl = z
  .int('must be a whole number of seconds')
  .min(min, `must be at least ${min}`)
  .max(max, `must be at most ${max}`);
const Cents = z.int('must be a whole number of cents').min(0, 'must not be negative');
const Count = z.int('must be a whole number').min(0, 'must not be negative');
const Positive = z.int('must be a whole number').min(1, 'must be at least 1');

/** How fast one party may call, and how many of its requests may be under way, streams included. */
export const CallLimits = z.strictObject({
  requests_per_second: Positive,
  concurrent: Positive,
});
export type CallLimits = z.output<typeof CallLimits>;

/** What embed tokens of an agent may be (service reference, section 2.2). */
export const EmbedPolicy = z
  .strictObject({
    /** Lifetime of a token that asks for none, in seconds. */
    default_ttl_seconds: Ttl.default(600),
    max_ttl_seconds: Ttl.default(max),
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
    /** End users who get no token. */
    blocked_end_users: z.array(ExternalUserId).default([]),
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

/** What a publishable key allows, and what it may cost. */
export const PublishableKeySettings = z.strictObject({
  /** What the key is for, in its owner's words. */
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .optional(),
  /** A subset of the policy's origins; all of them by default. */
  allowed_origins: z.array(Origin).optional(),
  /** Sessions begun in a UTC day, by all visitors together. */
  sessions_per_day: Count.default(1000),
  /** Cents spent in a UTC day, by all visitors together. */
  spend_cents_per_day: Cents.default(1000),
  /** Sessions begun in a UTC day by one visitor; see `sharesOf` for the default. */
  sessions_per_visitor_per_day: Count.optional(),
  /** Sessions begun in a UTC day by all visitors of one source address. */
  sessions_per_source_per_day: Count.optional(),
  /** Cents spent in a UTC day by one visitor. */
  spend_cents_per_visitor_per_day: Cents.optional(),
  /** Cents spent in a UTC day by all visitors of one source address. */
  spend_cents_per_source_per_day: Cents.optional(),
  /** New visitors from one source address in an hour. Returning visitors do not count. */
  new_visitors_per_hour: Count.default(30),
  /** Tokens that one returning visitor may get in an hour. */
  refreshes_per_visitor_per_hour: Count.default(240),
  /** What one session of a visitor may spend, in cents; the policy's default where left out. */
  budget_cents: Cents.optional(),
});

/**
 * The shares of a key's day that one visitor and one source address may use. By default they grow with
 * the key's own caps, so that a single visitor cannot use up the day of all others.
 */
export function sharesOf(key: Omit<z.output<typeof PublishableKeySettings>, 'name'>) {
  const { sessions_per_day: sessions, spend_cents_per_day: cents } = key;
  const share = (cap: number, part: number, least: number) =>
    Math.min(cap, Math.max(least, Math.ceil(cap * part)));
  return {
    sessions_per_visitor_per_day: key.sessions_per_visitor_per_day ?? share(sessions, 0.05, 5),
    sessions_per_source_per_day: key.sessions_per_source_per_day ?? share(sessions, 0.25, 10),
    spend_cents_per_visitor_per_day: key.spend_cents_per_visitor_per_day ?? share(cents, 0.1, 20),
    spend_cents_per_source_per_day: key.spend_cents_per_source_per_day ?? share(cents, 0.25, 50),
  };
}

/** A public key for visitors who are not signed in, as it stands in an agent's settings. */
export const PublishableKey = PublishableKeySettings.extend({
  key: z.string().regex(/^pk_[A-Za-z0-9_-]{1,120}$/, 'must be `pk_` and letters, digits, _ or -'),
  /** A key that is disabled gives no tokens, and ends those that it gave. */
  disabled: z.boolean().default(false),
  /** When it ends, for a key that another replaces: a time in UTC such as `2026-01-31T00:00:00Z`. */
  ends_at: z.iso
    .datetime('must be a time in UTC such as `2026-01-31T00:00:00Z`')
    .nullable()
    .default(null),
});
export type PublishableKey = z.output<typeof PublishableKey>;

/** The places in `keys` of origins that `policy` does not allow: no token may go beyond it. */
export function originsBeyondPolicy(
  keys: readonly Pick<PublishableKey, 'allowed_origins'>[],
  policy: EmbedPolicy | null,
): (string | number)[][] {
  return keys.flatMap((key, at) =>
    (key.allowed_origins ?? []).flatMap((origin, index) =>
      policy?.allowed_origins.some((wide) => coversPattern(wide, origin))
        ? []
        : [[at, 'allowed_origins', index]],
    ),
  );
}
