import type { Generated } from 'kysely';

/**
 * Every table. Columns are text and integers, so that SQLite and PostgreSQL take the same DDL:
 * moments are milliseconds since the epoch, flags are 0 or 1, structures are JSON text, and money is
 * whole micro-cents (a millionth of a cent), because a token costs far less than a cent.
 */
export interface Schema {
  api_keys: ApiKeysTable;
  agents: AgentsTable;
  agent_versions: AgentVersionsTable;
  publishable_keys: PublishableKeysTable;
  issuances: IssuancesTable;
  token_values: TokenValuesTable;
  exchange_codes: ExchangeCodesTable;
  visitors: VisitorsTable;
  end_user_blocks: EndUserBlocksTable;
  publishable_key_days: PublishableKeyDaysTable & Reserved;
  publishable_key_shares: PublishableKeySharesTable & Reserved;
  end_user_days: EndUserDaysTable;
  spend_reservations: SpendReservationsTable;
  sessions: SessionsTable & Reserved;
  events: EventsTable;
  runs: RunsTable;
  idempotency: IdempotencyTable;
  feedback: FeedbackTable;
  files: FilesTable;
  session_texts: SessionTextsTable;
  session_files: SessionFilesTable;
  doomed_blobs: DoomedBlobsTable;
  blob_pieces: BlobPiecesTable;
}

/** Keys of backends, beside the one of `INLAY_API_KEY`. */
interface ApiKeysTable {
  hash: string;
  created_at: number;
  /** What it is for, in its owner's words. */
  name: string | null;
  /** When it ends: revoked, or replaced by another; null for one that goes on. */
  ends_at: number | null;
}

/** What is known of an agent beyond the configuration file. */
export interface AgentsTable {
  id: string;
  /** Settings that were changed at run time, laid over the file; all of them, of an agent that the file lacks. */
  overrides: string;
  updated_at: number;
  /** Of an agent that was made at run time; null for one of the file. */
  short_id: string | null;
  /** The latest version, where it was made at run time. */
  version: string | null;
  /** The file's version that `version` followed; null for an agent that the file lacks. */
  version_base: string | null;
  created_at: number | null;
  archived_at: number | null;
  /** Grows with every change of the agent, its versions and its keys. */
  revision: number;
}

/** What a version settles, for the tokens and sessions that have it. */
interface AgentVersionsTable {
  agent_id: string;
  version: string;
  settings: string;
  created_at: number;
}

/** Publishable keys made at run time, and what was decided at run time of those in the settings. */
export interface PublishableKeysTable {
  key: string;
  agent_id: string;
  /** Null for a key that stands in the agent's settings. */
  settings: string | null;
  created_at: number;
  disabled_at: number | null;
  /** When a key that was replaced ends. */
  ends_at: number | null;
}

/** One issuance of an embed token (service reference, section 2.1). */
export interface IssuancesTable {
  id: string;
  agent_id: string;
  agent_version: string;
  external_user_id: string;
  /** The key by which a visitor came; null for a user of the host. */
  publishable_key: string | null;
  system_message: string | null;
  override_system: string | null;
  budget_cents: number | null;
  allowed_origins: string;
  metadata: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** The token values of an issuance, hashed: one from issuing, a second from an exchange. */
interface TokenValuesTable {
  hash: string;
  issuance_id: string;
  source: 'issue' | 'exchange';
}

interface ExchangeCodesTable {
  hash: string;
  issuance_id: string;
  expires_at: number;
}

interface VisitorsTable {
  secret_hash: string;
  agent_id: string;
  external_user_id: string;
  created_at: number;
}

/** A block or unblock at run time; it stands over the policy's own `blocked_end_users`. */
interface EndUserBlocksTable {
  agent_id: string;
  external_user_id: string;
  blocked: number;
  updated_at: number;
}

/** What a publishable key used on one UTC day. */
interface PublishableKeyDaysTable {
  publishable_key: string;
  day: string;
  sessions: number;
  spent_microcents: number;
  /** What the dearest model call of the day cost. */
  dearest_microcents: Generated<number>;
}

/** Usage of a publishable key on one UTC day, by one visitor or all visitors of one source address. */
interface PublishableKeySharesTable extends PublishableKeyDaysTable {
  /** `visitor:` and the end user's id, or `source:` and a hash of the address. */
  subject: string;
}

/** Usage of an end user on one UTC day. */
interface EndUserDaysTable {
  agent_id: string;
  external_user_id: string;
  day: string;
  /** Events that they sent, as JSON in UTF-8. */
  message_bytes: number;
}

interface Reserved {
  /** Set aside for model calls that are under way; the sum of rows in `spend_reservations`. */
  reserved_microcents: Generated<number>;
}

/** What one model call may cost at most, from before the model is asked until the call is counted. */
export interface SpendReservationsTable {
  id: string;
  /** The lease of the run that asks. Once it is over, what was set aside is given back. */
  lease_id: string;
  session_id: string;
  publishable_key: string | null;
  /** Subjects of `publishable_key_shares` that the call counts for; null without a publishable key. */
  visitor: string | null;
  source: string | null;
  /** The UTC day on which the call began, and which it is counted for. */
  day: string;
  /** 0 once it was given back. The row stays, so that the call can still be counted. */
  microcents: number;
  created_at: number;
}

export interface SessionsTable {
  id: string;
  agent_id: string;
  agent_version: string;
  external_user_id: string;
  /** The issuance that created it; what follows from it is copied here and outlives the token. */
  issuance_id: string;
  publishable_key: string | null;
  system_message: string | null;
  override_system: string | null;
  budget_cents: number | null;
  status: 'idle' | 'running' | 'rescheduling' | 'terminated';
  title: string | null;
  metadata: string;
  input_tokens: number;
  output_tokens: number;
  spent_microcents: number;
  created_at: number;
  updated_at: number;
  /** When something was said last, by whichever side. Lists are sorted by it. */
  active_at: number;
  archived_at: number | null;
  /** The beginning of what the person said first. */
  preview: string | null;
  terminated_reason: string | null;
  /** Where its first message came from, as a subject of `publishable_key_shares`; visitors only. */
  source: string | null;
  /** When the first message was sent; null while there is none. */
  begun_at: number | null;
  /** Bytes of all events of its log, as JSON in UTF-8. */
  log_bytes: number;
}

export interface EventsTable {
  session_id: string;
  seq: number;
  id: string;
  type: string;
  /** The whole event, as the wire carries it. */
  json: string;
  processed_at: number;
}

/** A run under way. Whoever holds the lease works on it; an expired lease is up for another. */
export interface RunsTable {
  session_id: string;
  id: string;
  owner: string;
  lease_until: number;
  started_at: number;
  attempt: number;
}

interface IdempotencyTable {
  /** Whose key it is: a session, or an end user. */
  scope: string;
  key: string;
  request_hash: string;
  response: string;
  created_at: number;
}

interface FeedbackTable {
  session_id: string;
  event_id: string;
  external_user_id: string;
  rating: 'up' | 'down';
  comment: string | null;
  /** A JSON list; null for what was said before there were reasons. */
  reasons: string | null;
  created_at: number;
}

/** What is known of an upload; its bytes are in the store's `blobs`. */
interface FilesTable {
  id: string;
  agent_id: string;
  external_user_id: string;
  filename: string;
  mime_type: string;
  size_bytes: number;
  created_at: number;
  /** 0 until its bytes lie there. Nobody can tell such a file exists, but it counts for the day. */
  is_complete: number;
}

/** What was said, as it is searched. `seq` 0 is the title. */
interface SessionTextsTable {
  session_id: string;
  seq: number;
  text: string;
}

/** Which files a session's messages refer to. */
interface SessionFilesTable {
  session_id: string;
  file_id: string;
}

/** Files whose row is gone, and whose bytes are to go: noted first, so that a crash leaves none. */
interface DoomedBlobsTable {
  id: string;
}

/** The bytes of uploads in PostgreSQL. The embedded store has them in files. */
interface BlobPiecesTable {
  file_id: string;
  /** From 0. */
  piece: number;
  bytes: Buffer;
}
