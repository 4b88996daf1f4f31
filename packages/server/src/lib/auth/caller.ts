/** The host's backend, by API key. It sees everything. */
export interface BackendCaller {
  kind: 'backend';
  /** Which key, for counting and for the log; no part of its value. */
  keyId: string;
}

/** One end user, by embed token: exactly this person, for exactly this agent. */
export interface EndUserCaller {
  kind: 'end_user';
  issuanceId: string;
  agentId: string;
  agentVersion: string;
  externalUserId: string;
  /** Whether the person is a visitor, by a publishable key. */
  anonymous: boolean;
  /** The key that a visitor came by; null otherwise. Daily caps count by it. */
  publishableKey: string | null;
  /** What the host told the agent of this person; a session keeps its copy. */
  systemMessage: { type: 'text'; text: string }[] | null;
  /** Replaces the agent's instructions; null without an override. */
  overrideSystem: string | null;
  /** What one session may spend, in cents; null without a budget. */
  budgetCents: number | null;
  /** Milliseconds. A stream ends then with `EMBED_TOKEN_EXPIRED`. */
  expiresAt: number;
}

export type Caller = BackendCaller | EndUserCaller;
