import type { TokenFeatures } from '@inlay/protocol';
import type { CallLimits } from '../config/embed-policy.ts';

/** The host's backend, identified by API key. It may access all sessions. */
export interface BackendCaller {
  kind: 'backend';
  /** Id of the key, for limits and logs; contains no part of the key. */
  keyId: string;
  /** Name of the key; null for one without a name, and for that of the environment. */
  name: string | null;
  /** Owner of what callers store: the tenant, the same for all API keys of the server. */
  owner: string;
  /** Limits of this key, where they differ from `limits.api_key` of the configuration. */
  limits: Partial<CallLimits>;
  /** Role of an operator of the console; undefined for an API key. */
  role?: 'viewer' | 'admin';
}

/** One end user of one agent, identified by embed token. */
export interface EndUserCaller {
  kind: 'end_user';
  issuanceId: string;
  agentId: string;
  agentVersion: string;
  externalUserId: string;
  /** Whether the user is a visitor with a publishable key. */
  anonymous: boolean;
  /** The visitor's publishable key, whose daily quotas apply; null for other users. */
  publishableKey: string | null;
  /** The host's message to the agent about this user; copied to each session. */
  systemMessage: { type: 'text'; text: string }[] | null;
  /** Replaces the agent's instructions; null without an override. */
  overrideSystem: string | null;
  /** Budget of one session in cents; null for none. */
  budgetCents: number | null;
  /** Features that the token disables with `false`. */
  features: TokenFeatures;
  /** The only session that the token opens; null if it opens all of the user. */
  sessionId: string | null;
  /** The host's metadata of the token as JSON; copied to each session. */
  tokenMetadata: string;
  /** Milliseconds since the epoch. Streams end at this time with `EMBED_TOKEN_EXPIRED`. */
  expiresAt: number;
}

export type Caller = BackendCaller | EndUserCaller;
