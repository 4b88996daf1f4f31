import * as z from 'zod';
import { CallLimits } from './embed-policy.ts';

const Bytes = z.int('must be a whole number of bytes').min(0, 'must not be negative');

/**
 * Limits for what a caller can make the server read, keep in memory, compute or store, grouped by the
 * subject that each limit is counted for. `docs/limits.md` explains them.
 */
export const Limits = z
  .strictObject({
    /** Calls by one API key (docs/conformance.md, 8.2); then 429 `RATE_LIMITED` with `retry-after`. */
    api_key: CallLimits.default({ requests_per_second: 5, concurrent: 4 }),
    /**
     * Calls by one API key that revoke, block, unblock or disable. Separate from `api_key`, so that
     * a backend that is busy with other calls can still revoke access. Then 429 `RATE_LIMITED`.
     */
    api_key_stops: CallLimits.default({ requests_per_second: 20, concurrent: 20 }),
    /**
     * Calls without a valid credential from one source address: fewer than with an API key
     * (docs/conformance.md, 8.2.6). Then 429 `RATE_LIMITED`.
     */
    source: CallLimits.default({ requests_per_second: 2, concurrent: 2 }),
    /**
     * Requests from one source address for files, pages and preflights; `concurrent` also counts health
     * checks, which have no rate limit. Each process counts them separately. Then 429 `RATE_LIMITED`.
     */
    public: CallLimits.default({ requests_per_second: 500, concurrent: 256 }),
    /** One HTTP request. */
    request: z
      .strictObject({
        /** Size of a JSON body; then 413 `PAYLOAD_TOO_LARGE`. */
        json_bytes: Bytes.min(1024).default(1_048_576),
        /** Values in a JSON body, including nested ones; then 400 `VALIDATION_ERROR`. */
        json_items: z.int().min(100).default(10_000),
        /** Size of an event that a client sends, as JSON, without the content of a tool result; then 400. */
        event_bytes: Bytes.min(256).default(65_536),
        /** The JSON body of a request to a model, which may contain images; then 413. */
        model_json_bytes: Bytes.min(1024).default(16_777_216),
        /** The response of a model's provider; then the next provider is tried, and 502 `UPSTREAM_ERROR`. */
        model_response_bytes: Bytes.min(1024).default(33_554_432),
        /** A body that a compatible prefix forwards; then 413 in the form of the prefix. */
        forwarded_bytes: Bytes.min(1024).default(104_857_600),
        /** Settings of one agent that were changed at run time, as JSON; then 400 `VALIDATION_ERROR`. */
        agent_bytes: Bytes.min(1024).default(131_072),
        /** Tables of one database with their fields, as JSON; then 400 `INVALID_PARAMS`. */
        database_bytes: Bytes.min(1024).default(131_072),
        /**
         * Contract and implementation of one action as JSON, or source of one script or workflow; then
         * 400 `INVALID_PARAMS`.
         */
        automation_bytes: Bytes.min(1024).default(131_072),
        /** Events in one page of a log. A larger event is alone in its page. */
        event_page_bytes: Bytes.min(1024).default(1_048_576),
        /** Events that a replay reads from the log at a time. */
        replay_page_bytes: Bytes.min(1024).default(65_536),
        /** Logs that are searched for one page of results. The next page continues after them. */
        search_bytes: Bytes.min(1024).default(33_554_432),
        /** Time for a JSON body to arrive; then 408 `REQUEST_TIMEOUT`, and the connection is closed. */
        body_seconds: z.int().min(1).max(300).default(30),
        /** Time without a byte of an upload; then 408 `REQUEST_TIMEOUT`, and the connection is closed. */
        upload_idle_seconds: z.int().min(1).max(300).default(15),
        /**
         * Time without a byte of a response that the client receives, except event streams and responses
         * of models and upstreams before their end; then the connection is closed.
         */
        download_idle_seconds: z.int().min(1).max(300).default(30),
        /** An uploaded file; then 413 `PAYLOAD_TOO_LARGE`. */
        file_bytes: Bytes.min(1).max(104_857_600).default(26_214_400),
        /** An uploaded file of the chat-model prefix (docs/conformance.md, 8.4); then 400 `validation_error`. */
        chat_model_file_bytes: Bytes.min(1).max(104_857_600).default(104_857_600),
      })
      .prefault({}),
    /** One session. */
    session: z
      .strictObject({
        /** Events of the log; then 409 `CONFLICT`. A running answer continues, and can be stopped. */
        events: z.int().min(10).default(10_000),
        /**
         * All events of the log together, as JSON in UTF-8; then 409 `CONFLICT`. A running answer
         * continues, also with the tool results and approvals that it waits for, and can be stopped.
         */
        log_bytes: Bytes.min(1024).default(8_388_608),
        /** UTF-16 code units of a message that are indexed for the search; the rest is not searched. */
        search_text_characters: z.int().min(0).max(200_000).default(65_536),
      })
      .prefault({}),
    /** One run: the output of models and tools for one message. */
    run: z
      .strictObject({
        /**
         * Text and thinking of one model response, which is then truncated, and the run ends. The maximum of this and similar limits ensures that
         * an event has at most 1 MiB, which clients can read: JSON can double the size of a text.
         */
        answer_bytes: Bytes.min(1024).max(393_216).default(262_144),
        /** Tool calls of one model response; then the run ends. */
        tool_calls: z.int().min(1).max(1000).default(64),
        /** Arguments of all tool calls of one model response; then the run ends. */
        argument_bytes: Bytes.min(1024).max(196_608).default(131_072),
        /**
         * One tool result. That of a function is truncated; that of a page tool is refused with 400
         * `VALIDATION_ERROR`.
         */
        tool_result_bytes: Bytes.min(1024).max(163_840).default(131_072),
        /** Citations of one model response; further ones are dropped. */
        citations: z.int().min(0).default(100),
        /** All citations of one model response, as JSON in UTF-8; further ones are dropped. */
        citation_bytes: Bytes.max(196_608).default(131_072),
        /**
         * Model calls since the user's last message or answer, including repeated ones; then the run ends
         * with a `session.error` of type `run_limit_error`. The limit stops an agent that calls tools
         * endlessly.
         */
        model_calls: z.int().min(1).max(1000).default(32),
      })
      .prefault({}),
    /** One end user of one agent. */
    user: z
      .strictObject({
        /** Concurrent runs, over all processes; further ones are queued. */
        runs: z.int().min(1).default(3),
        /**
         * Sessions without a message that are created per UTC day; deleted ones count. Then 429
         * `EMBED_QUOTA_EXCEEDED` until the next day.
         */
        empty_sessions_per_day: z.int().min(1).default(50),
        /**
         * Events sent per UTC day, including changes of title and metadata, as JSON in UTF-8; then 429
         * `EMBED_QUOTA_EXCEEDED` until the next day. Tool results and approvals that a run waits for are
         * accepted.
         */
        message_bytes_per_day: Bytes.default(16_777_216),
        /**
         * Logs that are read per minute, by exports, searches, pages of events and streams that replay
         * events. All visitors of one source address together may read four times as much. Then 429
         * `RATE_LIMITED`; a search that has begun returns a shorter page.
         */
        read_bytes_per_minute: Bytes.min(1_048_576).default(67_108_864),
        /** Uploaded files per UTC day; deleted ones count. Then 429 `EMBED_QUOTA_EXCEEDED`. */
        file_bytes_per_day: Bytes.default(262_144_000),
      })
      .prefault({}),
    /** All visitors of one publishable key. */
    publishable_key: z
      .strictObject({
        /**
         * Concurrent runs, over all processes; further ones are queued. The visitors of one network
         * (/48 or /24) may use half of them, rounded up.
         */
        runs: z.int().min(1).default(20),
      })
      .prefault({}),
    /** Vector stores of the chat-model family, of all API keys together. */
    vector_stores: z
      .strictObject({
        /** Vector stores; then 400 `vector_store_limit_exceeded`. */
        stores: z.int().min(1).default(1000),
        /** Files of one vector store; then 400 `vector_store_limit_exceeded`. */
        files: z.int().min(1).max(100_000).default(10_000),
        /** Tokens of the text of one file, at four bytes of UTF-8 each; then the file gets the status `failed`. */
        file_tokens: z.int().min(100).default(5_000_000),
        /** Texts and vectors of all vector stores together; then 400, or a file gets the status `failed`. */
        bytes: Bytes.default(1_073_741_824),
      })
      .prefault({}),
    /** One server process, all callers together. */
    process: z
      .strictObject({
        /** Open connections; further ones are closed immediately. */
        connections: z.int().min(1).default(50_000),
        /**
         * Open connections from one source address, or /64 network of IPv6; further ones are closed
         * immediately, and a line of the log names the address. Not counted behind trusted proxies,
         * which are the source of all connections.
         */
        source_connections: z.int().min(1).default(1000),
        /** Concurrent runs; further ones are queued, or start in another process. */
        runs: z.int().min(1).default(64),
        /** Files that are indexed for vector stores at the same time; further ones are queued. */
        vector_store_files: z.int().min(1).max(64).default(2),
        /** Concurrent background responses of the chat-model family; further ones are queued. */
        background_responses: z.int().min(1).default(16),
        /**
         * JSON bodies of requests in progress, by `Content-Length`; then 503 with `retry-after`. Calls
         * that end access are exempt. One API key, end user or source address may use at
         * most a quarter of the limit; a single body may be larger.
         */
        body_bytes: Bytes.min(1_048_576).default(67_108_864),
        /**
         * Uploads in progress, and forms of image edits and transcriptions until their response; then
         * 503 with `retry-after`. One API key, end user or source address may use at most a quarter of
         * the limit; a single file may be larger.
         */
        upload_bytes: Bytes.min(1_048_576).default(536_870_912),
        /**
         * Attachments of model requests in progress; further requests wait. Each byte takes about four
         * bytes of memory. One end user or source address may use at most a quarter of the limit; a
         * single request, which has at most 32 MiB of attachments, may use more.
         */
        attachment_bytes: Bytes.min(33_554_432).default(134_217_728),
        /**
         * New streams per second. Further ones are rejected with 503 and `retry-after`, so that a
         * reconnect storm does not slow down the open streams. End users and source addresses with less
         * than an equal share are still accepted, up to one and a half times the limit.
         */
        stream_opens_per_second: z.int().min(1).default(500),
      })
      .prefault({}),
  })
  .prefault({});
export type Limits = z.output<typeof Limits>;
