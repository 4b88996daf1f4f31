import * as z from 'zod';
import { CallLimits } from './embed-policy.ts';

const Bytes = z.int('must be a whole number of bytes').min(0, 'must not be negative');

/**
 * Everything that one caller can make the server read, hold, compute or store, by who it is counted
 * for. `docs/limits.md` explains each row.
 */
export const Limits = z
  .strictObject({
    /** Calls by one API key (service reference, section 8.2). */
    api_key: CallLimits.default({ requests_per_second: 5, concurrent: 4 }),
    /**
     * Calls by one API key that revoke, block, unblock or disable. Counted apart from `api_key`, so
     * that a key which is busy with other calls can still end access.
     */
    api_key_stops: CallLimits.default({ requests_per_second: 20, concurrent: 20 }),
    /** Calls without a credential from one source address. */
    source: CallLimits.default({ requests_per_second: 10, concurrent: 20 }),
    /** One HTTP request. */
    request: z
      .strictObject({
        /** A JSON body. */
        json_bytes: Bytes.min(1024).default(1_048_576),
        /** Values in a JSON body, those inside lists and objects included. */
        json_items: z.int().min(100).default(10_000),
        /** One event that is sent, such as a message, as JSON; not the content of a tool result. */
        event_bytes: Bytes.min(256).default(65_536),
        /** All settings of one agent that calls have changed, as JSON. */
        agent_bytes: Bytes.min(1024).default(131_072),
        /** Events in one page of a log. One that is larger is a page of its own. */
        event_page_bytes: Bytes.min(1024).default(1_048_576),
        /** Events that a stream reads from the log at a time, while it replays it to a reader. */
        replay_page_bytes: Bytes.min(1024).default(65_536),
        /** Logs that one search looks at; the next page goes on from there. */
        search_bytes: Bytes.min(1024).default(33_554_432),
        /** Time that a JSON body may take to arrive, counted from its head. */
        body_seconds: z.int().min(1).max(300).default(30),
        /** Time for which an upload may bring no byte. */
        upload_idle_seconds: z.int().min(1).max(300).default(15),
        /** An uploaded file. */
        file_bytes: Bytes.min(1).max(104_857_600).default(26_214_400),
      })
      .prefault({}),
    /** One session. */
    session: z
      .strictObject({
        /** Events of its log. */
        events: z.int().min(10).default(10_000),
        /** All events of its log together, as JSON in UTF-8. */
        log_bytes: Bytes.min(1024).default(8_388_608),
        /** UTF-16 code units of the text by which one message or answer can be found. */
        search_text_characters: z.int().min(0).max(200_000).default(65_536),
      })
      .prefault({}),
    /** One run: what a model and its tools may make of one message. */
    run: z
      .strictObject({
        /**
         * Text and thinking of one answer. A client reads events of up to 1 MiB, and JSON can double a
         * text; hence the maximum, here and below.
         */
        answer_bytes: Bytes.min(1024).max(393_216).default(262_144),
        /** Tool calls of one answer. */
        tool_calls: z.int().min(1).max(1000).default(64),
        /** Arguments of all tool calls of one answer. */
        argument_bytes: Bytes.min(1024).max(196_608).default(131_072),
        /** Size of one tool result, of a function of the server or of the host page. */
        tool_result_bytes: Bytes.min(1024).max(163_840).default(131_072),
      })
      .prefault({}),
    /** One end user of one agent. */
    user: z
      .strictObject({
        /** Runs under way at once, on all processes together; further ones wait. */
        runs: z.int().min(1).default(3),
        /** Sessions created in a UTC day in which nothing has been said. */
        empty_sessions_per_day: z.int().min(1).default(50),
        /** Events sent in a UTC day, and changes of title and metadata, as JSON in UTF-8. */
        message_bytes_per_day: Bytes.default(16_777_216),
        /** Uploaded files in a UTC day. */
        file_bytes_per_day: Bytes.default(262_144_000),
      })
      .prefault({}),
    /** All visitors of one publishable key. */
    publishable_key: z
      .strictObject({
        /** Runs under way at once, on all processes together; further ones wait. */
        runs: z.int().min(1).default(20),
      })
      .prefault({}),
    /** One server process, all callers together. */
    process: z
      .strictObject({
        /** Runs under way at once; further ones wait, or begin in another process. */
        runs: z.int().min(1).default(64),
        /**
         * JSON bodies of requests under way. One API key, end user or source address may have a quarter
         * of them, or one body.
         */
        body_bytes: Bytes.min(1_048_576).default(67_108_864),
        /**
         * Bytes of all uploads under way. One end user or source address may have a quarter of them, or
         * one file.
         */
        upload_bytes: Bytes.min(1_048_576).default(536_870_912),
        /**
         * New streams per second. Further ones are refused with `retry-after`, so that a reconnect
         * storm does not slow down the streams that are open.
         */
        stream_opens_per_second: z.int().min(1).default(500),
      })
      .prefault({}),
  })
  .prefault({});
export type Limits = z.output<typeof Limits>;
