import {
  DeletedSession,
  type DeltaType,
  FeedbackList,
  FeedbackRecordPage,
  type LiveEvent,
  type LogEvent,
  pageOf,
  readEvent,
  readEventText,
  Session,
  type SessionOutcome,
  SessionRecord,
  SessionRecordPage,
  type SessionStatus,
} from '@inlay/protocol';
import * as z from 'zod/mini';
import { type Call, type Open, wait } from './call.ts';
import type { PageParams } from './page-query.ts';
import { PlatformError } from './platform-error.ts';
import { readEvents } from './read-events.ts';
import { rejectUnknown } from './reject-unknown.ts';

export interface TerminateParams {
  /** Reason that is shown to the user. */
  reason?: string;
}

export interface ListSessionsParams extends PageParams {
  /**
   * Only conversations whose title or a message has words that start with all words of this text, which
   * has at most 200 characters. Case and punctuation are ignored.
   */
  query?: string;
  /** Only conversations with this agent, by its id or short id. */
  agent_id?: string;
  /** Only conversations of this end user. */
  external_user_id?: string;
  /** Only conversations of visitors with this publishable key. */
  publishable_key?: string;
  /** Only conversations whose last message is later: a time in RFC 3339. */
  active_after?: string;
  /** Only conversations whose last message is earlier: a time in RFC 3339. */
  active_before?: string;
  status?: SessionStatus;
  /** Only conversations with an answer that the user has rated so. */
  rating?: 'up' | 'down';
  /** How the last answer ended. */
  outcome?: SessionOutcome;
  /** Only conversations whose `metadata` has all of these values. At most 16. */
  metadata?: Readonly<Record<string, string>>;
  /**
   * Only archived conversations, only the others, or both.
   *
   * @default 'any'
   */
  archived?: 'true' | 'false' | 'any';
}

export interface ListFeedbackParams extends PageParams {
  /** Only feedback on this agent, by its id or short id. */
  agent_id?: string;
  /** Only feedback on this version of the agent `agent_id`. */
  version?: string;
  rating?: 'up' | 'down';
  /** Only later feedback: a time in RFC 3339. */
  after?: string;
  /** Only earlier feedback: a time in RFC 3339. */
  before?: string;
}

/** Parameters of a page of a conversation's log. */
export interface SessionEventsParams {
  /** Only events with a higher `seq`, oldest first. Cannot be combined with `page`. */
  after_seq?: number;
  /** Only events of these types, such as `user.message` and `agent.message`. */
  types?: readonly string[];
  /** @default 'asc' */
  order?: 'asc' | 'desc';
  /**
   * 1 to 200.
   *
   * @default 50
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

export interface ExportParams {
  /**
   * The current branch as Markdown, or the session with the events of all branches as JSON.
   *
   * @default 'markdown'
   */
  format?: 'markdown' | 'json';
}

export interface StreamOptions {
  /**
   * `seq` of the last event that the caller has handled. The iteration starts with the next event.
   *
   * @default 0
   */
  afterSeq?: number;
  /**
   * Types of events whose fragments are also yielded, as `event_start` and `event_delta`.
   *
   * @default []
   */
  deltas?: readonly DeltaType[];
  /** Ends the iteration, which throws the signal's reason. */
  signal?: AbortSignal;
}

/** Milliseconds until a stream is opened again that failed, or ended without an event. */
const reconnectDelayMs = 1_000;

/** Accepts event types of newer platforms, which callers must expect. */
const EventOfLog = z.custom<LogEvent>((value) => {
  const { kind } = readEvent(value);
  return kind === 'log' || kind === 'unknown';
});
const EventPage = pageOf(EventOfLog);

/** Methods for the conversations of all users. */
export function sessionCalls(call: Call, open: Open) {
  return {
    sessions: {
      /**
       * Lists the conversations of all users, by last activity, newest first. With several filters, a page
       * may be short or empty and still have a `next_page`.
       */
      async list({ limit, page, query: text, ...filters }: ListSessionsParams = {}) {
        const { agent_id, external_user_id, publishable_key, active_after, ...rest } = filters;
        const {
          active_before,
          status,
          rating,
          outcome,
          archived,
          metadata = {},
          ...unknown
        } = rest;
        rejectUnknown(
          'sessions.list',
          unknown,
          'query, agent_id, external_user_id, publishable_key, active_after, active_before, status, rating, outcome, archived, metadata, limit and page',
        );
        const ofUser = { agent_id, external_user_id, publishable_key };
        const ofState = { active_after, active_before, status, rating, outcome, archived };
        const members = Object.entries(metadata).map(
          ([key, value]) => [`metadata[${key}]`, value] as const,
        );
        const filter = { ...ofUser, ...ofState, ...Object.fromEntries(members) };
        const query = { query: text, ...filter, limit, page };
        return call('GET', ['sessions'], SessionRecordPage, { query });
      },

      /** Reads a conversation's state, with its user and the token that created it. */
      get: (sessionId: string) => call('GET', ['sessions', sessionId], SessionRecord),

      /** Reads a page of a conversation's log, oldest event first. */
      async events(
        sessionId: string,
        { after_seq, types, order, limit, page, ...unknown }: SessionEventsParams = {},
      ) {
        rejectUnknown('sessions.events', unknown, 'after_seq, types, order, limit and page');
        const query = { after_seq, types, order, limit, page };
        return call('GET', ['sessions', sessionId, 'events'], EventPage, { query });
      },

      /**
       * Follows a conversation: yields each event of its log after `afterSeq` once, in order, and waits
       * for more. Reconnects after temporary failures. Ends after `session.deleted`. Leaving the loop
       * closes the connection, which counts as a request in progress of the API key.
       *
       * @throws PlatformError The first error that is not retryable, such as `NOT_FOUND`.
       */
      async *stream(
        sessionId: string,
        { afterSeq = 0, deltas = [], signal, ...unknown }: StreamOptions = {},
      ): AsyncGenerator<LogEvent | LiveEvent, void, undefined> {
        rejectUnknown('sessions.stream', unknown, 'afterSeq, deltas and signal');
        let lastSeq = afterSeq;
        for (;;) {
          let hasEvents = false;
          try {
            const response = await open('GET', ['sessions', sessionId, 'events', 'stream'], {
              query: { event_deltas: deltas },
              headers: { accept: 'text/event-stream', 'last-event-id': String(lastSeq) },
              streams: true,
              signal,
            });
            const incomplete = 'The stream of the conversation failed.';
            for await (const data of readEvents(response, { signal, incomplete })) {
              const read = readEventText(data);
              if (read.kind !== 'log' && read.kind !== 'live') continue;
              if (read.kind === 'log' && read.event.seq <= lastSeq) continue;
              hasEvents = true;
              yield read.event;
              if (read.kind === 'log') lastSeq = read.event.seq;
              if (read.event.type === 'session.deleted') return;
            }
          } catch (error) {
            if (!(error instanceof PlatformError) || !error.retryable) throw error;
            hasEvents = false;
          }
          // The platform ends each stream after some minutes, so that it can be opened again.
          if (!hasEvents) await wait(reconnectDelayMs, signal);
        }
      },

      /** Exports a conversation. The body of the response is the file. */
      async export(
        sessionId: string,
        { format, ...unknown }: ExportParams = {},
      ): Promise<Response> {
        rejectUnknown('sessions.export', unknown, 'format');
        const options = { query: { format }, headers: { accept: '*/*' }, streams: true };
        return open('GET', ['sessions', sessionId, 'export'], options);
      },

      /** Lists the ratings of a conversation's answers, oldest first. */
      feedback: (sessionId: string) =>
        call('GET', ['sessions', sessionId, 'feedback'], FeedbackList),

      /** Deletes a conversation with its messages, its feedback and its files. */
      delete: (sessionId: string) =>
        call('DELETE', ['sessions', sessionId], DeletedSession, { retry: 'rejected' }),

      /** Ends a conversation permanently: it accepts no more messages. */
      terminate: (sessionId: string, params: TerminateParams = {}) =>
        call('POST', ['sessions', sessionId, 'terminate'], Session, { body: params }),
    },

    feedback: {
      /**
       * Lists the feedback of all conversations, newest first, each with the start of the rated message and
       * of the user's message before it. With `agent_id`, a page may be short or empty and still have a
       * `next_page`.
       */
      async list({
        agent_id,
        version,
        rating,
        after,
        before,
        limit,
        page,
        ...unknown
      }: ListFeedbackParams = {}) {
        rejectUnknown(
          'feedback.list',
          unknown,
          'agent_id, version, rating, after, before, limit and page',
        );
        const query = { agent_id, version, rating, after, before, limit, page };
        return call('GET', ['feedback'], FeedbackRecordPage, { query });
      },
    },

    files: {
      /** Downloads a file of a conversation. The body of the response is the file. */
      content: (fileId: string): Promise<Response> =>
        open('GET', ['files', fileId, 'content'], { headers: { accept: '*/*' }, streams: true }),
    },
  };
}
