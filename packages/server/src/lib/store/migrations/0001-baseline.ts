import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The tables of the first release; `schema.ts` describes their columns. */
export const baseline: Migration = {
  async up(db: Kysely<unknown>) {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const statements = [
      ...credentials,
      ...counters,
      ...sessions,
      ...models,
      ...registries,
      ...chatModel,
      ...vectorStores,
      ...(isSqlite ? [] : roomForUpdates),
      ...(isSqlite ? textsOnSqlite : textsOnPostgres),
      ...(isSqlite ? chunksOnSqlite : chunksOnPostgres),
      ...chunkIndexes,
      ...(isSqlite ? [] : earlierVacuums),
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** Credentials: API keys, agents, tokens and visitors. */
const credentials = [
  `create table api_keys (
    hash text not null primary key,
    created_at bigint not null,
    name text,
    ends_at bigint,
    requests_per_second integer,
    concurrent integer
  )`,
  `create table agents (
    id text not null primary key,
    overrides text not null,
    updated_at bigint not null,
    short_id text,
    version text,
    version_base text,
    created_at bigint,
    archived_at bigint,
    revision bigint not null default 0
  )`,
  'create unique index agents_by_short_id on agents (short_id)',
  `create table agent_versions (
    agent_id text not null,
    version text not null,
    settings text not null,
    created_at bigint not null,
    primary key (agent_id, version)
  )`,
  `create table publishable_keys (
    key text not null primary key,
    agent_id text not null,
    settings text,
    created_at bigint not null,
    disabled_at bigint,
    ends_at bigint
  )`,
  'create index publishable_keys_by_agent on publishable_keys (agent_id)',
  `create table issuances (
    id text not null primary key,
    agent_id text not null,
    agent_version text not null,
    external_user_id text not null,
    publishable_key text,
    system_message text,
    override_system text,
    budget_cents bigint,
    allowed_origins text not null,
    metadata text not null,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint,
    expired_at bigint
  )`,
  'create index issuances_by_agent on issuances (agent_id, created_at, id)',
  'create index issuances_by_early_expiry on issuances (expired_at) where expired_at is not null',
  'create index issuances_by_expiry on issuances (expires_at)',
  'create index issuances_by_external_user on issuances (external_user_id, created_at, id)',
  'create index issuances_by_key on issuances (publishable_key) where publishable_key is not null',
  'create index issuances_by_revocation on issuances (revoked_at) where revoked_at is not null',
  'create index issuances_by_time on issuances (created_at, id)',
  'create index issuances_by_user on issuances (agent_id, external_user_id, created_at)',
  `create table token_values (
    hash text not null primary key,
    issuance_id text not null,
    source text not null
  )`,
  'create index token_values_by_issuance on token_values (issuance_id)',
  `create table exchange_codes (
    hash text not null primary key,
    issuance_id text not null,
    expires_at bigint not null
  )`,
  `create table visitors (
    secret_hash text not null primary key,
    agent_id text not null,
    external_user_id text not null,
    created_at bigint not null,
    challenge_passed_at bigint
  )`,
  'create index visitors_by_time on visitors (created_at)',
  'create index visitors_by_user on visitors (agent_id, external_user_id)',
  `create table end_user_blocks (
    agent_id text not null,
    external_user_id text not null,
    blocked integer not null,
    updated_at bigint not null,
    primary key (agent_id, external_user_id)
  )`,
];

/** Daily counters and reservations. */
const counters = [
  `create table publishable_key_days (
    publishable_key text not null,
    day text not null,
    sessions integer not null,
    spent_microcents bigint not null,
    dearest_microcents bigint not null default 0,
    file_bytes bigint not null default 0,
    reserved_microcents bigint not null default 0,
    primary key (publishable_key, day)
  )`,
  `create table publishable_key_shares (
    publishable_key text not null,
    day text not null,
    subject text not null,
    sessions integer not null,
    spent_microcents bigint not null,
    file_bytes bigint not null default 0,
    reserved_microcents bigint not null default 0,
    primary key (publishable_key, day, subject)
  )`,
  `create table end_user_days (
    agent_id text not null,
    external_user_id text not null,
    day text not null,
    message_bytes bigint not null,
    file_bytes bigint not null default 0,
    empty_sessions bigint not null default 0,
    spent_microcents bigint not null default 0,
    reserved_microcents bigint not null default 0,
    primary key (agent_id, external_user_id, day)
  )`,
  `create table spend_reservations (
    id text not null primary key,
    lease_id text not null,
    session_id text not null,
    publishable_key text,
    visitor text,
    source text,
    agent_id text,
    external_user_id text,
    day text not null,
    microcents bigint not null,
    created_at bigint not null
  )`,
];

/** Conversations with their logs, runs and files. */
const sessions = [
  `create table sessions (
    id text not null primary key,
    agent_id text not null,
    agent_version text not null,
    external_user_id text not null,
    issuance_id text not null,
    publishable_key text,
    system_message text,
    override_system text,
    budget_cents bigint,
    status text not null,
    title text,
    metadata text not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    spent_microcents bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    active_at bigint not null default 0,
    archived_at bigint,
    preview text,
    terminated_reason text,
    source text,
    begun_at bigint,
    log_bytes bigint not null default 0,
    last_seq bigint not null default 0,
    head_id text,
    reserved_microcents bigint not null default 0
  )`,
  'create index sessions_by_activity on sessions (agent_id, external_user_id, active_at, id)',
  'create index sessions_by_last_activity on sessions (active_at)',
  `create index sessions_forgotten on sessions (external_user_id, id)
    where external_user_id = ''`,
  `create table events (
    session_id text not null,
    seq bigint not null,
    id text not null,
    type text not null,
    json text not null,
    processed_at bigint not null,
    primary key (session_id, seq)
  )`,
  // For the events that other events refer to.
  `create index events_by_id on events (session_id, id)
    where type in
      ('agent.card', 'agent.custom_tool_use', 'agent.message', 'agent.tool_use', 'user.message')`,
  `create table provider_messages (
    session_id text not null,
    request_id text not null,
    origin text not null,
    call_ids text not null,
    message text not null,
    primary key (session_id, request_id)
  )`,
  `create table runs (
    session_id text not null primary key,
    id text not null,
    worker text,
    user_scope text not null default '',
    key_scope text,
    network_scope text,
    started_at bigint not null,
    attempt integer not null
  )`,
  'create index runs_by_user on runs (user_scope)',
  'create index runs_by_worker on runs (worker) where worker is not null',
  'create index runs_queue on runs (started_at) where worker is null',
  `create table run_counts (
    scope text not null primary key,
    active integer not null
  )`,
  `create table workers (
    id text not null primary key,
    heartbeat_at bigint not null
  )`,
  `create table idempotency (
    scope text not null,
    key text not null,
    request_hash text not null,
    response text not null,
    created_at bigint not null,
    primary key (scope, key)
  )`,
  'create index idempotency_by_time on idempotency (created_at)',
  `create table feedback (
    session_id text not null,
    event_id text not null,
    external_user_id text not null,
    rating text not null,
    comment text,
    reasons text not null,
    created_at bigint not null,
    primary key (session_id, event_id)
  )`,
  `create table files (
    id text not null primary key,
    agent_id text not null,
    external_user_id text not null,
    filename text not null,
    mime_type text not null,
    size_bytes bigint not null,
    created_at bigint not null,
    is_complete integer not null default 1,
    publishable_key text,
    source text
  )`,
  `create index files_by_key on files (publishable_key, created_at)
    where publishable_key is not null`,
  'create index files_by_user on files (agent_id, external_user_id, created_at)',
  `create index files_forgotten on files (external_user_id, id) where external_user_id = ''`,
  'create index files_incomplete on files (created_at) where is_complete = 0',
  `create table session_files (
    session_id text not null,
    file_id text not null,
    primary key (session_id, file_id)
  )`,
  'create index session_files_by_file on session_files (file_id)',
  `create table blob_deletions (
    id text not null primary key,
    status text not null,
    worker text,
    lease_id text,
    run_after bigint,
    attempt integer not null default 0,
    created_at bigint not null
  )`,
  `create index blob_deletions_by_worker on blob_deletions (worker)
    where worker is not null`,
  `create index blob_deletions_queue on blob_deletions (created_at)
    where worker is null and run_after is not null`,
  `create table blob_pieces (
    file_id text not null,
    piece integer not null,
    bytes bytea not null,
    primary key (file_id, piece)
  )`,
];

/** Cost of the models of the catalogue. */
const models = [
  `create table model_months (
    model text not null,
    month text not null,
    spent_microcents bigint not null,
    reserved_microcents bigint not null default 0,
    dearest_microcents bigint not null default 0,
    primary key (model, month)
  )`,
  `create table model_reservations (
    id text not null primary key,
    model text not null,
    month text not null,
    microcents bigint not null,
    worker text,
    video text
  )`,
  'create index model_reservations_by_video on model_reservations (video) where video is not null',
  'create index model_reservations_by_worker on model_reservations (worker) where worker is not null',
];

/** Databases, media libraries, and automation. */
const registries = [
  `create table registries (
    id text not null primary key,
    kind text not null,
    name text not null,
    description text,
    status text not null,
    deletes_at bigint,
    content text not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index registries_by_kind on registries (kind, created_at, id)',
  `create table change_logs (
    log_id text not null,
    seq integer not null,
    json text not null,
    primary key (log_id, seq)
  )`,
  `create table media_assets (
    id text not null primary key,
    library_id text not null,
    name text not null,
    url text not null,
    media_type text,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index media_assets_by_library on media_assets (library_id, created_at, id)',
  `create table automations (
    id text not null primary key,
    kind text not null,
    scope text not null,
    namespace text not null,
    name text not null,
    description text not null,
    labels text not null,
    draft text,
    draft_digest text,
    dist_tags text not null,
    latest_id text,
    archived_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    unique (scope, namespace, name)
  )`,
  'create index automations_by_kind on automations (kind, created_at, id)',
  `create table automation_revisions (
    id text not null primary key,
    automation_id text not null,
    number integer not null,
    version text,
    digest text not null,
    content text not null,
    created_by text not null,
    message text,
    created_at bigint not null,
    unique (automation_id, number),
    unique (automation_id, version)
  )`,
  `create table automation_labels (
    automation_id text not null,
    key text not null,
    value text not null,
    primary key (automation_id, key)
  )`,
  `create table automation_references (
    automation_id text not null,
    part text not null,
    action text not null,
    primary key (automation_id, part, action)
  )`,
  'create index automation_references_by_action on automation_references (action)',
];

/** Stored objects of the chat-model family. */
const chatModel = [
  `create table chat_model_conversations (
    id text not null primary key,
    owner text not null,
    metadata text not null,
    created_at bigint not null,
    active_at bigint not null
  )`,
  'create index chat_model_conversations_by_activity on chat_model_conversations (active_at)',
  `create table chat_model_responses (
    id text not null primary key,
    owner text not null,
    previous_response_id text,
    conversation_id text,
    background integer not null,
    status text not null,
    json text not null,
    request text,
    worker text,
    lease_id text,
    run_after bigint,
    attempt integer not null default 0,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index chat_model_responses_by_expiry on chat_model_responses (expires_at)',
  `create index chat_model_responses_by_worker on chat_model_responses (worker)
    where worker is not null`,
  `create index chat_model_responses_queue on chat_model_responses (created_at)
    where worker is null and run_after is not null`,
  `create table chat_model_items (
    parent_id text not null,
    seq integer not null,
    id text not null,
    source text not null,
    json text not null,
    primary key (parent_id, seq)
  )`,
  'create index chat_model_items_by_id on chat_model_items (id)',
  `create table chat_model_response_events (
    response_id text not null,
    last_number integer not null,
    json text not null,
    primary key (response_id, last_number)
  )`,
  `create table chat_model_files (
    id text not null primary key,
    owner text not null,
    filename text not null,
    purpose text not null,
    mime_type text not null,
    size_bytes bigint not null,
    is_complete integer not null,
    created_at bigint not null,
    expires_at bigint
  )`,
  'create index chat_model_files_by_expiry on chat_model_files (expires_at)',
  'create index chat_model_files_by_owner on chat_model_files (owner, created_at, id)',
  `create table chat_model_videos (
    id text not null primary key,
    owner text not null,
    upstream_id text not null,
    json text not null,
    created_at bigint not null,
    expires_at bigint not null,
    model text
  )`,
  'create index chat_model_videos_by_expiry on chat_model_videos (expires_at)',
  'create index chat_model_videos_by_owner on chat_model_videos (owner, created_at, id)',
];

/** Vector stores of the chat-model family. */
const vectorStores = [
  `create table vector_stores (
    id text not null primary key,
    name text not null,
    description text,
    metadata text not null,
    expires_days integer,
    expires_at bigint,
    is_expired integer not null,
    usage_bytes bigint not null,
    created_at bigint not null,
    last_active_at bigint not null,
    files_in_progress integer not null,
    files_completed integer not null,
    files_failed integer not null,
    files_cancelled integer not null
  )`,
  'create index vector_stores_by_expiry on vector_stores (expires_at) where is_expired = 0',
  'create index vector_stores_by_time on vector_stores (created_at, id)',
  `create table vector_store_files (
    vector_store_id text not null,
    file_id text not null,
    document_id text not null,
    batch_id text,
    status text not null,
    last_error text,
    attributes text not null,
    chunk_tokens integer not null,
    overlap_tokens integer not null,
    usage_bytes bigint not null,
    worker text,
    lease_id text,
    run_after bigint,
    attempt integer not null,
    created_at bigint not null,
    primary key (vector_store_id, file_id)
  )`,
  'create index vector_store_files_by_batch on vector_store_files (batch_id, created_at, file_id)',
  'create unique index vector_store_files_by_document on vector_store_files (document_id)',
  'create index vector_store_files_by_file on vector_store_files (file_id)',
  'create index vector_store_files_by_time on vector_store_files (vector_store_id, created_at, file_id)',
  `create index vector_store_files_by_worker on vector_store_files (worker)
    where worker is not null`,
  `create index vector_store_files_queue on vector_store_files (created_at)
    where worker is null and run_after is not null`,
  `create table vector_store_batches (
    id text not null primary key,
    vector_store_id text not null,
    is_cancelled integer not null,
    created_at bigint not null,
    files_in_progress integer not null,
    files_completed integer not null,
    files_failed integer not null,
    files_cancelled integer not null
  )`,
  'create index vector_store_batches_by_store on vector_store_batches (vector_store_id)',
  `create table vector_store_deletions (
    id text not null primary key,
    kind text not null
  )`,
];

/**
 * Room in each page for new versions of its rows. PostgreSQL then adds no entries to indexes whose
 * columns an update does not change.
 */
const roomForUpdates = ['sessions', 'end_user_days', 'runs', 'run_counts', 'workers'].map(
  (table) => `alter table ${table} set (fillfactor = 70)`,
);

/** Texts of conversations with a full-text index, which the two databases have in different forms. */
const textsOnSqlite = [
  `create table session_texts (
    id integer primary key,
    session_id text not null,
    seq bigint not null,
    text text not null,
    unique (session_id, seq)
  )`,
  // Without content: the terms are derived from the text.
  `create virtual table session_terms using fts5
    (terms, content = '', contentless_delete = 1, tokenize = 'ascii')`,
  `create trigger session_texts_deleted after delete on session_texts begin
    delete from session_terms where rowid = old.id;
  end`,
];

const textsOnPostgres = [
  `create table session_texts (
    session_id text not null,
    seq bigint not null,
    text text not null,
    terms tsvector not null,
    primary key (session_id, seq)
  )`,
  'create index session_texts_terms on session_texts using gin (terms)',
];

/** Chunks of texts with a full-text index, which the two databases have in different forms. */
const chunksOnSqlite = [
  `create table vector_store_chunks (
    id integer primary key autoincrement,
    vector_store_id text not null,
    document_id text not null,
    part integer not null,
    overlap integer not null,
    text text not null,
    vector blob,
    vector_model text
  )`,
  // Without content: the terms are derived from the text of the chunk.
  `create virtual table vector_store_terms using fts5
    (terms, content = '', contentless_delete = 1, tokenize = 'ascii')`,
  `create trigger vector_store_chunks_deleted after delete on vector_store_chunks begin
    delete from vector_store_terms where rowid = old.id;
  end`,
];

const chunksOnPostgres = [
  `create table vector_store_chunks (
    id bigint generated always as identity primary key,
    vector_store_id text not null,
    document_id text not null,
    part integer not null,
    overlap integer not null,
    text text not null,
    vector bytea,
    vector_model text,
    terms tsvector
  )`,
  'create index vector_store_chunks_terms on vector_store_chunks using gin (terms)',
];

const chunkIndexes = [
  'create index vector_store_chunks_by_store on vector_store_chunks (vector_store_id, id)',
  `create unique index vector_store_chunks_by_document on vector_store_chunks
    (document_id, part)`,
];

/**
 * PostgreSQL frees the space of deleted rows when they are 2 % of a table, instead of 20 %, in tables
 * that become large and from which the sweep deletes.
 */
const earlierVacuums = [
  'issuances',
  'token_values',
  'sessions',
  'events',
  'session_texts',
  'idempotency',
  'chat_model_responses',
  'chat_model_items',
].map((table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`);
