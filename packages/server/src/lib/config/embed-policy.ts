import { ExternalUserId, limits } from '@inlay/protocol';
import * as z from 'zod';
import { coversPattern, explainPattern } from './origin-pattern.ts';

/** An origin, or a pattern that `explainPattern` accepts. */
export const Origin = z.string().superRefine((value, context) => {
  const problem = explainPattern(value);
  if (problem !== null) context.addIssue(problem);
});

const { min, max } = limits.ttlSeconds;
const Ttl = z
  .int('must be a whole number of seconds')
  .min(min, `must be at least ${min}`)
  .max(max, `must be at most ${max}`);
const Cents = z.int('must be a whole number of cents').min(0, 'must not be negative');
const Count = z.int('must be a whole number').min(0, 'must not be negative');
const Bytes = z.int('must be a whole number of bytes').min(0, 'must not be negative');
const Positive = z.int('must be a whole number').min(1, 'must be at least 1');

/** Maximum request rate, and maximum requests in progress, including streams. */
export const CallLimits = z.strictObject({
  /** Requests per second. */
  requests_per_second: Positive,
  /** Requests at the same time, including open streams. */
  concurrent: Positive,
});
export type CallLimits = z.output<typeof CallLimits>;

/** Rules for the embed tokens of an agent (docs/conformance.md, 2.2). */
export const EmbedPolicy = z
  .strictObject({
    /** Lifetime in seconds of a token that was requested without one: at most `max_ttl_seconds`. */
    default_ttl_seconds: Ttl.default(600),
    /** Maximum lifetime of a token, in seconds. */
    max_ttl_seconds: Ttl.default(max),
    /** Budget of a session in cents, if the issuance does not set one. Null: no budget. */
    default_budget_cents: Cents.nullable().default(null),
    /** Maximum budget in cents; null for none. It is also the budget if neither token nor default set one. */
    max_budget_cents: Cents.nullable().default(null),
    /**
     * Origins of pages that may use tokens of this agent: an exact origin, `https://*.example.com` for
     * subdomains, `http://localhost:*` for development, or the origin of an app's pages, such as
     * `capacitor://localhost`. `*` is not allowed below a public suffix
     * such as `github.io`, where anyone can have a site. An empty list denies all origins.
     */
    allowed_origins: z.array(Origin).default([]),
    /** Whether a token may replace the agent's instructions. */
    allow_agent_override: z.boolean().default(false),
    /** Whether a signed-in user may take over the conversations that they had before as a visitor. */
    allow_visitor_claim: z.boolean().default(false),
    /** Agent version for tokens that request no version; null for the latest. */
    pinned_version: z.string().nullable().default(null),
    /** End users who get no token. */
    blocked_end_users: z.array(ExternalUserId).default([]),
    /**
     * Cents that one signed-in user may spend per UTC day, in all sessions together; null for no
     * limit. Visitors have the quotas of their publishable key.
     */
    spend_cents_per_user_per_day: Cents.nullable().default(null),
    /** Limits per end user. */
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
    const { default_budget_cents: budget, max_budget_cents: maximum } = policy;
    if (budget !== null && maximum !== null && budget > maximum) {
      context.addIssue({
        code: 'custom',
        path: ['default_budget_cents'],
        message: 'must not be over max_budget_cents',
      });
    }
  });
export type EmbedPolicy = z.output<typeof EmbedPolicy>;

/** Permissions and limits of a publishable key. */
export const PublishableKeySettings = z.strictObject({
  /** Name of the key, for its owner. */
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .optional(),
  /** Allowed origins: a subset of the policy's origins; by default all of them. */
  allowed_origins: z.array(Origin).optional(),
  /**
   * Sessions started per UTC day, by all visitors together. A session counts from its first message;
   * refreshed tokens do not count.
   */
  sessions_per_day: Count.default(1000),
  /** Cents spent per UTC day, by all visitors together. */
  spend_cents_per_day: Cents.default(1000),
  /** Sessions started per UTC day by one visitor. By default 5 % of `sessions_per_day`, at least 5. */
  sessions_per_visitor_per_day: Count.optional(),
  /**
   * Sessions started per UTC day by all visitors of one source: an IPv4 address or an IPv6 /64
   * network. The networks that contain it may use more: two times as much in a /24 or /56, three times
   * in a /48. By default 15 % of `sessions_per_day`, at least 10.
   */
  sessions_per_source_per_day: Count.optional(),
  /** Cents spent per UTC day by one visitor. By default 10 % of `spend_cents_per_day`, at least 20. */
  spend_cents_per_visitor_per_day: Cents.optional(),
  /**
   * Cents spent per UTC day by all visitors of one source; larger networks as for sessions. By
   * default 15 % of `spend_cents_per_day`, at least 50.
   */
  spend_cents_per_source_per_day: Cents.optional(),
  /** Bytes of files uploaded per UTC day, by all visitors together. Deleted files count. */
  file_bytes_per_day: Bytes.default(1_073_741_824),
  /**
   * Bytes of files uploaded per UTC day by all visitors of one source; larger networks as for
   * sessions. By default 15 % of `file_bytes_per_day`, at least 26214400.
   */
  file_bytes_per_source_per_day: Bytes.optional(),
  /**
   * Bytes of stored files that visitors uploaded and have not sent in a message. They are deleted
   * after a day. One source may use 15 %, at least 26214400.
   */
  unsent_file_bytes: Bytes.default(536_870_912),
  /**
   * Part of each quota of the key that is reserved: one half for visitors who are known for more than
   * a day, the other half also for networks that have not been seen on this day. A quota that one
   * source may use up, such as 10 sessions, has no reserve.
   */
  reserve_percent: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(90, 'must be at most 90')
    .default(40),
  /**
   * New visitors per hour from one source; larger networks have two and three times as many.
   * Returning visitors do not count.
   */
  new_visitors_per_hour: Count.default(30),
  /**
   * Tokens per hour that one returning visitor may request. Each page load takes one, and each is
   * valid for the policy's `default_ttl_seconds`.
   */
  refreshes_per_visitor_per_hour: Count.default(240),
  /** Budget of a visitor's session in cents; the policy's default if omitted. */
  budget_cents: Cents.optional(),
});

/** Returns a part of a quota: at least the minimum, and at most the whole quota. */
export function partOf(quota: number, part: number, minimum: number): number {
  return Math.min(quota, Math.max(minimum, Math.ceil(quota * part)));
}

/**
 * Returns the parts of a key's daily quotas that one visitor and one source address may use. The
 * defaults are fractions of the key's quotas, so that one visitor cannot use up the quota of all
 * others.
 */
export function visitorQuotas(key: Omit<z.output<typeof PublishableKeySettings>, 'name'>) {
  const { sessions_per_day: sessions, spend_cents_per_day: cents, file_bytes_per_day: bytes } = key;
  return {
    sessions_per_visitor_per_day: key.sessions_per_visitor_per_day ?? partOf(sessions, 0.05, 5),
    sessions_per_source_per_day: key.sessions_per_source_per_day ?? partOf(sessions, 0.15, 10),
    spend_cents_per_visitor_per_day: key.spend_cents_per_visitor_per_day ?? partOf(cents, 0.1, 20),
    spend_cents_per_source_per_day: key.spend_cents_per_source_per_day ?? partOf(cents, 0.15, 50),
    file_bytes_per_source_per_day:
      key.file_bytes_per_source_per_day ?? partOf(bytes, 0.15, 26_214_400),
  };
}

/** A publishable key in an agent's settings. It identifies the agent for anonymous visitors. */
export const PublishableKey = PublishableKeySettings.extend({
  /** `pk_`, and letters, digits, `_` or `-`. It is part of the page, and not secret. */
  key: z.string().regex(/^pk_[A-Za-z0-9_-]{1,120}$/, 'must be `pk_` and letters, digits, _ or -'),
  /** Whether no tokens can be requested with the key. Its existing tokens end. */
  disabled: z.boolean().default(false),
  /** End of a replaced key: a time in UTC such as `2026-01-31T00:00:00Z`. */
  ends_at: z.iso
    .datetime('must be a time in UTC such as `2026-01-31T00:00:00Z`')
    .nullable()
    .default(null),
});
export type PublishableKey = z.output<typeof PublishableKey>;

/** Finds the origins of keys that the policy does not allow, with their paths in `keys`. */
export function originsBeyondPolicy(
  keys: readonly Pick<PublishableKey, 'allowed_origins'>[],
  policy: EmbedPolicy | null,
): (string | number)[][] {
  return keys.flatMap((key, keyIndex) =>
    (key.allowed_origins ?? []).flatMap((origin, index) =>
      policy?.allowed_origins.some((pattern) => coversPattern(pattern, origin))
        ? []
        : [[keyIndex, 'allowed_origins', index]],
    ),
  );
}
