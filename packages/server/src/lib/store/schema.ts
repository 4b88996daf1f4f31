import type { RegistryStatus, SessionOutcome } from '@inlay/protocol';
import type { ColumnType, Generated } from 'kysely';
import type { AmountColumn } from '../usage/amounts.ts';

/**
 * All tables. Columns are text and integers, so that SQLite and PostgreSQL share the DDL: times are
 * milliseconds since the epoch, flags are 0 or 1, structures are JSON text, and money is in whole
 * micro-cents (millionths of a cent), because a token costs far less than a cent.
 */
export interface Schema {
  api_keys: ApiKeysTable;
  operators: OperatorsTable;
  operator_sessions: OperatorSessionsTable;
  sign_in_attempts: SignInAttemptsTable;
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
  end_user_days: EndUserDaysTable & Reserved;
  spend_reservations: SpendReservationsTable;
  sessions: SessionsTable & LogPosition & Ratings & Reserved;
  events: EventsTable;
  provider_messages: ProviderMessagesTable;
  usage_days: UsageDaysTable;
  usage_users: UsageUsersTable;
  end_users: EndUsersTable;
  consent_texts: ConsentTextsTable;
  consents: ConsentsTable;
  runs: RunsTable;
  run_counts: RunCountsTable;
  workers: WorkersTable;
  idempotency: IdempotencyTable;
  feedback: FeedbackTable;
  files: FilesTable;
  session_texts: SessionTextsTable;
  session_files: SessionFilesTable;
  blob_deletions: BlobDeletionsTable;
  blob_pieces: BlobPiecesTable;
  model_months: ModelMonthsTable;
  model_reservations: ModelReservationsTable;
  registries: RegistriesTable;
  change_logs: ChangeLogsTable;
  media_assets: MediaAssetsTable;
  automations: AutomationsTable;
  automation_revisions: AutomationRevisionsTable;
  automation_labels: AutomationLabelsTable;
  automation_references: AutomationReferencesTable;
  chat_model_conversations: ChatModelConversationsTable;
  chat_model_responses: ChatModelResponsesTable;
  chat_model_items: ChatModelItemsTable;
  chat_model_response_events: ChatModelResponseEventsTable;
  chat_model_files: ChatModelFilesTable;
  chat_model_videos: ChatModelVideosTable;
  vector_stores: VectorStoresTable;
  vector_store_files: VectorStoreFilesTable;
  vector_store_batches: VectorStoreBatchesTable;
  vector_store_chunks: VectorStoreChunksTable;
  vector_store_deletions: VectorStoreDeletionsTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_changes: WebhookChangesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  audit_events: AuditEventsTable;
  erasures: ErasuresTable;
  erasure_key: ErasureKeyTable;
  refused_origins: RefusedOriginsTable;
}

/** API keys of backends, in addition to `INLAY_API_KEY`. */
export interface ApiKeysTable {
  hash: string;
  created_at: number;
  /** Description by the key's owner. */
  name: string | null;
  /** When a revoked or replaced key ends or ended; null for all others. */
  ends_at: number | null;
  /** Time of the last request, up to a minute too early; null for a key that was never used. */
  last_used_at: ColumnType<number | null, number | null | undefined>;
  /** Limits of this key; null for those of the configuration. */
  requests_per_second: number | null;
  concurrent: number | null;
}

/** Operators of the console. */
export interface OperatorsTable {
  id: string;
  /** In lower case. */
  name: string;
  role: 'viewer' | 'admin';
  /** Null until the operator has set a password. */
  password_hash: ColumnType<string | null, string | null | undefined>;
  /** Hash and end of the link that signs the operator in once; null without one. */
  link_hash: ColumnType<string | null, string | null | undefined>;
  link_expires_at: ColumnType<number | null, number | null | undefined>;
  created_at: number;
  disabled_at: ColumnType<number | null, number | null | undefined>;
  /** Issuer and subject at the OpenID Connect provider, as JSON; null without an account there. */
  subject: ColumnType<string | null, string | null | undefined>;
}

/** Signed-in browsers of operators. */
export interface OperatorSessionsTable {
  /** Hash of the cookie. */
  hash: string;
  operator_id: string;
  /** Time of the last request, at most a minute too early. */
  seen_at: number;
  expires_at: number;
}

/** Attempts to sign in to the console, counted from `since`. */
export interface SignInAttemptsTable {
  /** Hash of the name and the source address. */
  key: string;
  count: number;
  since: number;
}

/** Amounts of an agent and a day. A sum is spread over several rows with different slots. */
export interface UsageDaysTable extends Record<AmountColumn, number> {
  day: string;
  agent_id: string;
  agent_version: string;
  /** Empty for users of the host. */
  publishable_key: string;
  /** Empty for amounts without a model call. */
  model: string;
  slot: number;
}

/** The consent texts that agents have shown. */
interface ConsentTextsTable {
  agent_id: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  text_sha256: string;
  text: string;
  /** Time at which it was shown first. */
  shown_at: number;
}

/** Consents of end users to texts: at most one to each text. */
interface ConsentsTable {
  id: string;
  agent_id: string;
  external_user_id: string;
  text_sha256: string;
  /** BCP 47 tag of the widget that showed the text. */
  language: string;
  given_at: number;
}

/** End users who have written to an agent. */
export interface EndUsersTable {
  agent_id: string;
  external_user_id: string;
  /** 1 for a visitor with a publishable key. */
  anonymous: number;
  /** Time of the first conversation. */
  first_seen_at: number;
  /** Time of the first message of the last day or conversation. */
  last_seen_at: number;
}

/** End users who were active on a day. */
export interface UsageUsersTable {
  day: string;
  agent_id: string;
  agent_version: string;
  /** Empty for users of the host. */
  publishable_key: string;
  external_user_id: string;
}

/** Run-time state of an agent, in addition to the configuration file. */
export interface AgentsTable {
  id: string;
  /**
   * Settings that were changed at run time, which override the file; all settings if the agent is
   * not in the file.
   */
  overrides: string;
  updated_at: number;
  /** Null for an agent of the file. */
  short_id: string | null;
  /** The latest version; null if it is in the file. */
  version: string | null;
  /** The file's version when `version` was created; null for an agent that is not in the file. */
  version_base: string | null;
  created_at: number | null;
  archived_at: number | null;
  /** Incremented by each change of the agent, its versions or its keys. */
  revision: number;
}

/** The settings of a version, for the tokens and sessions that use it. */
interface AgentVersionsTable {
  agent_id: string;
  version: string;
  settings: string;
  created_at: number;
}

/** Publishable keys created at run time, and run-time changes of the keys in the settings. */
export interface PublishableKeysTable {
  key: string;
  agent_id: string;
  /** Null for a key in the agent's settings. */
  settings: string | null;
  created_at: number;
  disabled_at: number | null;
  /** When a replaced key ends. */
  ends_at: number | null;
}

/** One issuance of an embed token (docs/conformance.md, 2.1). */
export interface IssuancesTable {
  id: string;
  agent_id: string;
  agent_version: string;
  external_user_id: string;
  /** The publishable key of an anonymous visitor; null for a user of the host. */
  publishable_key: string | null;
  system_message: string | null;
  override_system: string | null;
  budget_cents: number | null;
  allowed_origins: string;
  metadata: string;
  /** `TokenFeatures` as JSON. */
  features: string;
  /** The only session that the tokens open; null if they open all of the user. */
  session_id: string | null;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** When the backend made the tokens expire early; null otherwise. */
  expired_at: number | null;
  /** The API key, as `actor` of the audit record; null for a visitor, and before the column existed. */
  issued_by: string | null;
}

/** Hashes of the token values of an issuance: one from issuing, a second one from an exchange. */
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
  /** After `claimed:` once a user has claimed the visitor, so that no secret finds the row. */
  secret_hash: string;
  agent_id: string;
  /** The visitor, or the user who has claimed it. */
  external_user_id: string;
  created_at: number;
  /** When the visitor first passed the challenge of a key; null if never. */
  challenge_passed_at: number | null;
}

/** A block or unblock at run time; overrides the policy's `blocked_end_users`. */
interface EndUserBlocksTable {
  agent_id: string;
  external_user_id: string;
  blocked: number;
  updated_at: number;
}

/** Usage of a publishable key on one UTC day. */
interface PublishableKeyDaysTable extends PublishableKeyUsage {
  /** Cost of the day's most expensive model call. */
  dearest_microcents: Generated<number>;
}

interface PublishableKeyUsage {
  publishable_key: string;
  day: string;
  sessions: number;
  spent_microcents: number;
  /** Bytes of uploaded files, including files that were deleted since. */
  file_bytes: Generated<number>;
}

/**
 * Usage of a publishable key on one UTC day, by one visitor or all visitors of one network.
 */
interface PublishableKeySharesTable extends PublishableKeyUsage {
  /**
   * `visitor:` and the end user's id; or `source:`, `network:` or `site:` and a hash of the network,
   * from the smallest to the largest.
   */
  subject: string;
}

/** Usage of an end user on one UTC day. */
interface EndUserDaysTable {
  agent_id: string;
  external_user_id: string;
  day: string;
  /** UTF-8 bytes of the events that the user sent, as JSON. */
  message_bytes: number;
  /** Bytes of uploaded files, including files that were deleted since. */
  file_bytes: Generated<number>;
  /** Sessions that were created without a message and got none since, including deleted ones. */
  empty_sessions: Generated<number>;
  /** Cost of model calls; counted only with `embed.spend_cents_per_user_per_day`. */
  spent_microcents: Generated<number>;
}

interface Reserved {
  /** Reserved for model calls in progress; the sum of rows in `spend_reservations`. */
  reserved_microcents: Generated<number>;
}

/** A reservation of the maximum cost of a model call, until the actual cost is counted. */
export interface SpendReservationsTable {
  id: string;
  /** The lease of the run. When the lease ends, the reservation is released. */
  lease_id: string;
  session_id: string;
  publishable_key: string | null;
  /** Subjects of `publishable_key_shares` that are charged; null without a publishable key. */
  visitor: string | null;
  /** Several subjects are separated by spaces. */
  source: string | null;
  /** The end user whose daily budget is charged; null without one. */
  agent_id: string | null;
  external_user_id: string | null;
  /** The UTC day on which the call started, to which its cost is added. */
  day: string;
  /**
   * 0 once the reservation was released. The row stays, so that a late cost can still be counted.
   */
  microcents: number;
  created_at: number;
}

/** A session, with the settings of its issuance. */
export interface SessionsTable {
  id: string;
  agent_id: string;
  agent_version: string;
  external_user_id: string;
  /**
   * The issuance that created the session. Its settings are copied, because the session outlives
   * the token.
   */
  issuance_id: string;
  publishable_key: string | null;
  system_message: string | null;
  override_system: string | null;
  budget_cents: number | null;
  /** Metadata of the issuance, as JSON. `metadata` is that of the session, which the user can change. */
  token_metadata: string;
  status: 'idle' | 'running' | 'rescheduling' | 'terminated';
  title: string | null;
  metadata: string;
  input_tokens: number;
  output_tokens: number;
  spent_microcents: number;
  created_at: number;
  updated_at: number;
  /** When the user or the agent last sent a message. Lists of sessions are sorted by this time. */
  active_at: number;
  archived_at: number | null;
  /** The start of the first user message. */
  preview: string | null;
  /** The start of the last message of the user or the agent. */
  last_message: string | null;
  /** 1 if the last run ended with `requires_action`. */
  requires_action: number;
  terminated_reason: string | null;
  /**
   * Networks of the first message, as subjects of `publishable_key_shares` that are separated by spaces;
   * for visitors only.
   */
  source: string | null;
  /** When the first message was sent; null before. */
  begun_at: number | null;
  /** UTF-8 bytes of all events of the log, as JSON. */
  log_bytes: number;
  /**
   * How the last run ended: a `SessionOutcome`. Empty from the user's message to the end of its run; null
   * if the session has had no message since the column exists.
   */
  outcome: SessionOutcome | '' | null;
}

/** The columns of `SessionsTable`, for queries that must name them. */
export const sessionColumns = [
  'id',
  'agent_id',
  'agent_version',
  'external_user_id',
  'issuance_id',
  'publishable_key',
  'system_message',
  'override_system',
  'budget_cents',
  'token_metadata',
  'status',
  'title',
  'metadata',
  'input_tokens',
  'output_tokens',
  'spent_microcents',
  'created_at',
  'updated_at',
  'active_at',
  'archived_at',
  'preview',
  'last_message',
  'requires_action',
  'terminated_reason',
  'source',
  'begun_at',
  'log_bytes',
  'outcome',
] as const satisfies readonly (keyof SessionsTable)[];

/** 1 if a message of the session is rated so, otherwise 0. */
interface Ratings {
  rated_up: Generated<number>;
  rated_down: Generated<number>;
}

/** Columns of a session that describe the end of its log. */
interface LogPosition {
  /** `seq` of the last event; 0 for an empty log. */
  last_seq: Generated<number>;
  /** Id of the message at the end of the current branch; null before the first message. */
  head_id: Generated<string | null>;
}

/** An event of a session's log. */
export interface EventsTable {
  session_id: string;
  seq: number;
  id: string;
  type: string;
  /** The whole event, as clients get it. */
  json: string;
  processed_at: number;
}

/**
 * An assistant message as its provider sent it: call ids, reasoning, signatures and unknown members. No
 * event and no export contains it.
 */
export interface ProviderMessagesTable {
  session_id: string;
  /** Id of the `span.model_request_start` of the request. */
  request_id: string;
  /** Hash of the model and its endpoint. Only requests to the same ones contain the message. */
  origin: string;
  /** JSON: ids of the events of the tool calls, in the order of the message's `tool_calls`. */
  call_ids: string;
  /** JSON, without a content that is text. */
  message: string;
}

/** A process that performs runs, background responses and the indexing of files. */
interface WorkersTable {
  id: string;
  /** Time of the last heartbeat, in milliseconds since the epoch by the clock of the database. */
  heartbeat_at: number;
}

/** A queued or active run. */
export interface RunsTable {
  session_id: string;
  /** Changes whenever a process takes the run; empty before. */
  id: string;
  /** Id of the process that performs the run; null for a queued run. */
  worker: string | null;
  /** The scope of the end user in `run_counts`. */
  user_scope: string;
  /** The scope of the publishable key in `run_counts`; null without one. */
  key_scope: string | null;
  /** The scope of the visitor's largest network in `run_counts`; null for signed-in users. */
  network_scope: string | null;
  started_at: number;
  attempt: number;
}

/** Number of active runs of an end user, a publishable key, or the visitors of a network. There are no rows with 0. */
interface RunCountsTable {
  scope: string;
  active: number;
}

interface IdempotencyTable {
  /** The owner of the idempotency key: a session or an end user. */
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
  /** A JSON array. */
  reasons: string;
  created_at: number;
}

/** Metadata of an upload; its content is in `Store.blobs`. */
interface FilesTable {
  id: string;
  agent_id: string;
  external_user_id: string;
  filename: string;
  mime_type: string;
  size_bytes: number;
  created_at: number;
  /**
   * 0 until the content is stored. An incomplete file cannot be read, but counts against the quota.
   */
  is_complete: number;
  /** The visitor's publishable key; null for signed-in users. */
  publishable_key: string | null;
  /** Networks of the upload, like `sessions.source`. */
  source: string | null;
  /** The JSON of a `PdfText`; null until the text of a PDF is read for a model. */
  extracted_text: string | null;
}

/** Searchable texts of a session: its messages by `seq`, and its title with `seq` 0. */
interface SessionTextsTable {
  session_id: string;
  seq: number;
  text: string;
  /** 1 if the index has the terms for the search of all users' texts. */
  has_words: Generated<number>;
}

/** The files that the messages of a session refer to. */
interface SessionFilesTable {
  session_id: string;
  file_id: string;
}

/** Jobs that delete the contents of deleted files. */
interface BlobDeletionsTable {
  /** Id of the file. */
  id: string;
  status: 'queued' | 'in_progress';
  worker: string | null;
  lease_id: string | null;
  run_after: number | null;
  attempt: Generated<number>;
  created_at: number;
}

/**
 * Contents of uploads in PostgreSQL and in backups. The embedded store keeps new ones in files.
 */
interface BlobPiecesTable {
  file_id: string;
  /** Index of the piece, from 0. */
  piece: number;
  /** SQLite returns an `ArrayBuffer`. */
  bytes: ColumnType<Uint8Array | ArrayBuffer, Uint8Array>;
}

/** Cost of a model of the catalogue in one UTC month. */
interface ModelMonthsTable {
  model: string;
  /** `YYYY-MM`. */
  month: string;
  spent_microcents: number;
  /** The sum of rows in `model_reservations`. */
  reserved_microcents: Generated<number>;
  /** Cost of the month's most expensive request. */
  dearest_microcents: Generated<number>;
}

/** The cost that a request or a video task in progress may have. */
interface ModelReservationsTable {
  id: string;
  model: string;
  /** `YYYY-MM`. */
  month: string;
  microcents: number;
  /** Id of the process that performs the request; null for a video task. */
  worker: string | null;
  /** Id of the video task; null for a request. */
  video: string | null;
}

/** Databases and media libraries. */
export interface RegistriesTable {
  id: string;
  kind: 'database' | 'library';
  name: string;
  description: string | null;
  status: RegistryStatus;
  /** Time of the deletion in the status `deleting`; null in other statuses. */
  deletes_at: number | null;
  /** Of a database: its tables, as JSON. */
  content: string;
  created_at: number;
  updated_at: number;
}

/** Event logs of databases and media libraries. */
export interface ChangeLogsTable {
  /** Id of the database or library. */
  log_id: string;
  seq: number;
  /** The whole event. */
  json: string;
}

export interface MediaAssetsTable {
  id: string;
  library_id: string;
  name: string;
  url: string;
  media_type: string | null;
  created_at: number;
  updated_at: number;
}

/** Actions, scripts and workflows. */
export interface AutomationsTable {
  id: string;
  kind: 'action' | 'script' | 'workflow';
  /** Names are unique in a scope and namespace. */
  scope: 'action' | 'orchestration';
  namespace: string;
  name: string;
  description: string;
  /** A JSON object. */
  labels: string;
  /** Content of the next version as JSON; null for actions, which have no draft. */
  draft: string | null;
  draft_digest: string | null;
  /** Versions by tag, a JSON object. */
  dist_tags: string;
  /** The current revision of an action, or the latest version; null before the first version. */
  latest_id: string | null;
  archived_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Revisions of actions, and versions of scripts and workflows. The rows never change. */
export interface AutomationRevisionsTable {
  id: string;
  automation_id: string;
  /** Position among the revisions or versions of one action, script or workflow, from 1. */
  number: number;
  /** Semantic version; null for a revision of an action. */
  version: string | null;
  digest: string;
  /** JSON. */
  content: string;
  /** JSON. */
  created_by: string;
  message: string | null;
  created_at: number;
}

/** The labels of `automations`, one per row, for the filter of the lists. */
interface AutomationLabelsTable {
  automation_id: string;
  key: string;
  value: string;
}

/** References of scripts and workflows to actions. */
interface AutomationReferencesTable {
  automation_id: string;
  part: 'draft' | 'latest';
  /** `namespace/name`. */
  action: string;
}

/** A conversation of the chat-model family. */
export interface ChatModelConversationsTable {
  id: string;
  owner: string;
  metadata: string;
  created_at: number;
  /** When an item was last added. */
  active_at: number;
}

/** A stored response of the chat-model family. */
export interface ChatModelResponsesTable {
  id: string;
  owner: string;
  previous_response_id: string | null;
  conversation_id: string | null;
  /** 1 for a response that was created with `background`. */
  background: number;
  status: string;
  /** The response object, without its output items. */
  json: string;
  /** Request of a background response that has not ended; otherwise null. */
  request: string | null;
  /** Id of the process that executes the background response; null for a queued one. */
  worker: string | null;
  /** Changes whenever a process takes the background response. */
  lease_id: string | null;
  /** Time from which a process may take the background response; null if there is nothing to do. */
  run_after: number | null;
  attempt: Generated<number>;
  created_at: number;
  expires_at: number;
}

/** Events of background responses that were created with `stream: true`. */
export interface ChatModelResponseEventsTable {
  response_id: string;
  /** Sequence number of the last event of the row. */
  last_number: number;
  /** A list of events with their sequence numbers. */
  json: string;
}

/** Items of conversations, and input and output items of responses. */
export interface ChatModelItemsTable {
  /** Id of the conversation or the response. */
  parent_id: string;
  seq: number;
  /** The id that clients get. */
  id: string;
  source: 'input' | 'output';
  /** The item as it is sent to an upstream, in which `id` may differ or be absent. */
  json: string;
}

/** A file of the chat-model family; its content is in `Store.blobs`. */
export interface ChatModelFilesTable {
  id: string;
  owner: string;
  filename: string;
  purpose: string;
  mime_type: string;
  size_bytes: number;
  /** 0 until the content is stored. */
  is_complete: number;
  created_at: number;
  /** Null for a file that does not expire. */
  expires_at: number | null;
}

/** A video task at the upstream of the chat-model family. */
export interface ChatModelVideosTable {
  id: string;
  owner: string;
  upstream_id: string;
  /** The task as the upstream last returned it. */
  json: string;
  created_at: number;
  expires_at: number;
  /** The model of the catalogue that the request named; null if it named another. */
  model: string | null;
}

/** Numbers of files by status. */
interface FileCounts {
  files_in_progress: number;
  files_completed: number;
  files_failed: number;
  files_cancelled: number;
}

/** A vector store of the chat-model family. */
export interface VectorStoresTable extends FileCounts {
  id: string;
  /** Empty if the store has none. */
  name: string;
  description: string | null;
  metadata: string;
  /** Days without activity after which the store expires; null for a store that does not expire. */
  expires_days: number | null;
  expires_at: number | null;
  /** 1 when the contents of the expired store were deleted. */
  is_expired: number;
  /** Sum of the bytes of its files. */
  usage_bytes: number;
  created_at: number;
  /** Time of the last search, or of the last file that was added. */
  last_active_at: number;
}

/** A file of a vector store. */
export interface VectorStoreFilesTable {
  vector_store_id: string;
  file_id: string;
  /** Id of the chunks. It is new each time that the file is added again. */
  document_id: string;
  batch_id: string | null;
  status: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  /** JSON; null without an error. */
  last_error: string | null;
  /** A JSON object. */
  attributes: string;
  chunk_tokens: number;
  overlap_tokens: number;
  /** Bytes of the chunks: texts in UTF-8 and vectors. */
  usage_bytes: number;
  /** Id of the process that indexes the file; null for a queued one. */
  worker: string | null;
  /** Changes whenever a process takes the file. */
  lease_id: string | null;
  /** Time from which a process may take the file; null if there is nothing to do. */
  run_after: number | null;
  attempt: number;
  created_at: number;
}

export interface VectorStoreBatchesTable extends FileCounts {
  id: string;
  vector_store_id: string;
  is_cancelled: number;
  created_at: number;
}

/** Chunks of the texts of files in vector stores. */
interface VectorStoreChunksTable {
  id: Generated<number>;
  vector_store_id: string;
  document_id: string;
  /** Index of the chunk in its document, from 0. */
  part: number;
  /** UTF-16 code units at the start of the text that the previous chunk has as well. */
  overlap: number;
  text: string;
  /**
   * Embedding of length 1, as 32-bit floating-point numbers in little-endian order. SQLite returns an
   * `ArrayBuffer`.
   */
  vector: Uint8Array | ArrayBuffer | null;
  /** The model of the vector; vectors of different models cannot be compared. */
  vector_model: string | null;
}

/** Deleted vector stores and documents whose contents must still be deleted. */
interface VectorStoreDeletionsTable {
  /** Id of a vector store, or of a document. */
  id: string;
  kind: 'store' | 'document';
}

export interface WebhookEndpointsTable {
  id: string;
  url: string;
  description: string | null;
  /** JSON list of event types. */
  events: string;
  /** JSON list: `text`. */
  include: string;
  /** In plain text, because it signs every delivery. */
  secret: string;
  /** The secret that the last rotation has replaced. It signs as well until `previous_secret_ends_at`. */
  previous_secret: string | null;
  previous_secret_ends_at: number | null;
  disabled_at: number | null;
  disabled_reason: 'request' | 'gone' | 'failing' | null;
  /** Time of the first failure since the last success. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

/** A counter in one row, by which processes notice changes of `webhook_endpoints`. */
interface WebhookChangesTable {
  id: number;
  revision: number;
}

/** Events for endpoints, written in the transactions of the reported changes; see `JobQueue`. */
export interface WebhookDeliveriesTable {
  id: string;
  endpoint_id: string;
  event_type: string;
  /** Null for a test. */
  agent_id: string | null;
  external_user_id: string | null;
  /** Null for events that belong to no session. */
  session_id: string | null;
  /** `data` of the event as JSON, without texts, which are read from the log for each attempt. */
  data: string;
  /** Endpoint and session of an unfinished delivery, which waits for those before it; null without a session. */
  lane: string | null;
  /** Order in the session: twice the `seq` of a log event, plus 1 for a change after it. */
  position: number;
  status: 'queued' | 'in_progress' | 'delivered' | 'failed' | 'skipped';
  worker: string | null;
  lease_id: string | null;
  /** Null for a finished delivery. */
  run_after: number | null;
  attempt: Generated<number>;
  last_attempt_at: number | null;
  error: string | null;
  response_status: number | null;
  /** First 4,096 bytes. */
  response_body: string | null;
  created_at: number;
}

/** An operation of an API key or of the command line. */
export interface AuditEventsTable {
  id: string;
  at: number;
  /** `key:` and the id of an API key, or `cli`. */
  actor: string;
  /** The method and the path of a route, or a command. */
  action: string;
  /** Path of the resource below the version of the API. */
  subject: string;
  /** Settings before and after the operation, as JSON, without secrets and without texts of users. */
  before: string | null;
  after: string | null;
  request_id: string | null;
  /** Network of the caller; null for the command line. */
  source: string | null;
}

/** The secret of `pseudonyms.ts`, in one row. */
interface ErasureKeyTable {
  id: 1;
  key: string;
}

/** The erasure of an end user, to be repeated after a backup is restored. */
export interface ErasuresTable {
  id: string;
  agent_id: string;
  /** HMAC of the agent and the user; see `pseudonyms.ts`. */
  hmac: string;
  at: number;
  /** 1 if the user stays blocked. */
  block_kept: number;
  /** Id of the process that is erasing the user; null when it has ended. */
  worker: string | null;
}

/** Refused requests of pages, by agent, hour and origin. */
interface RefusedOriginsTable {
  agent_id: string;
  /** Start of the hour. */
  hour: number;
  /** Empty for all origins above the maximum of an hour. */
  origin: string;
  requests: number;
  /** Time of the last request that was counted. */
  last_at: number;
}
