import {
  CreateSessionRequest,
  DeletedSession,
  Session,
  SessionPage,
  TerminateSessionRequest,
  UpdateSessionRequest,
} from '@inlay/protocol';
import * as z from 'zod';
import { requireFeature } from '../agents/require-feature.ts';
import type { Caller } from '../auth/caller.ts';
import { isoTime } from '../clock.ts';
import { decodeCursor, encodeCursor, pageQuery, toPage } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import { encode, streamBody } from '../http/stream-body.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { admitOne, readBytesOf } from '../limits/read-bytes.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { SessionsTable } from '../store/schema.ts';
import { openStream } from '../stream/open-stream.ts';
import {
  archiveSession,
  terminateSession,
  unarchiveSession,
  updateSession,
} from './change-session.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-sessions.ts';
import { ExportedSession, exportSession } from './export-session.ts';
import { BackendSessionQuery, listSessions, searchText } from './list-sessions.ts';
import { SessionSearch } from './search-sessions.ts';
import { toSession, toSessionRecord } from './session-object.ts';

/**
 * Routes for sessions. With an embed token, a session of another user causes the same 404 as a missing
 * session. With an API key, all sessions can be read and deleted.
 */
export function sessionRoutes(services: Services): Route[] {
  const { sessions, hub } = services;
  const search = new SessionSearch(services);
  const convert = (caller: Caller, row: SessionsTable) => {
    const agent = services.agents.find(row.agent_id);
    return caller.kind === 'backend' ? toSessionRecord(row, agent) : toSession(row, agent);
  };
  const readSession = async (caller: Caller, id: string) =>
    convert(caller, await sessions.readFor(caller, id));

  const listForBackend = async (
    caller: Caller,
    query: z.output<typeof BackendSessionQuery> | undefined,
    signal: AbortSignal,
  ) => {
    const { rows, next } = await listSessions(
      services,
      query ?? BackendSessionQuery.parse({}),
      signal,
    );
    return { data: rows.map((row) => convert(caller, row)), next_cursor: next, next_page: next };
  };

  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/sessions',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Start a conversation',
        description:
          'With `Accept: text/event-stream`, the response is the stream: `session.created`, then all further events. So the first message of a conversation, in `initial_events`, needs one round trip to the first token of its answer. With `Idempotency-Key`, a repetition returns the session of the first request.',
        query: z.looseObject({
          event_deltas: z.union([z.string(), z.array(z.string())]).optional(),
        }),
        body: CreateSessionRequest,
        response: Session,
        headers: ['Idempotency-Key'],
        responseType: 'text/event-stream',
        problems: [
          'CONFLICT',
          'EMBED_FEATURE_DISABLED',
          'EMBED_QUOTA_EXCEEDED',
          'EMBED_BUDGET_EXCEEDED',
          'SERVICE_UNAVAILABLE',
        ],
      },
      async ({ c, caller, body, query }) => {
        if (caller.sessionId !== null) {
          throw new ApiError(
            'EMBED_FEATURE_DISABLED',
            `This token opens only the session ${caller.sessionId}. To start another one, request a token without \`session_id\`.`,
          );
        }
        const wantsStream = c.req.header('accept')?.includes('text/event-stream');
        // Checked before the session is created, so that a rejected client can repeat the request.
        const source = sourceOf(c, services.config.trusted_proxies);
        if (wantsStream) hub.gate.enter({ user: userScope(caller), source });
        const session = await createSession(
          services,
          caller,
          body,
          c.req.header('idempotency-key'),
          source,
        );
        const wake = () => services.engine.wake(session.id);
        if (!wantsStream) {
          wake();
          return session;
        }
        return openStream(c, services, {
          caller,
          sessionId: session.id,
          // A run that starts earlier may produce fragments that the stream misses.
          onJoined: wake,
          after: 0,
          deltas: query.event_deltas,
          first: {
            type: 'session.created',
            id: newId(services.random, 'evt_'),
            processed_at: isoTime(services.clock.now()),
            session,
          },
        });
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions',
        audience: 'any',
        tag: 'Sessions',
        summary: 'List and search conversations',
        description:
          'With an embed token, the conversations of its user; with an API key, those of all users, with the filters that only an API key has. Sorted by last activity, newest first. A conversation that becomes active between two pages moves to the first page; none is listed twice. Each request of a search covers a limited amount of text: a page may be short or empty and still have a `next_page`, with which the search continues. The same holds for a list with several filters.',
        query: z.looseObject({
          ...pageQuery,
          query: searchText.describe(
            `Only conversations with this text in the title or in the first ${services.config.limits.session.search_text_characters} characters of a message, ignoring case. With an embed token, the text starts at the start of a word, or anywhere in scripts without spaces. With an API key, the text is a list of words, which one message or the title has in any order; words that start with them are found, too, and punctuation is ignored.`,
          ),
          archived: z
            .enum(['true', 'false', 'any'], 'must be true, false or any')
            .optional()
            .describe('Whether to list archived conversations, the others, or both.'),
          include_archived: z
            .enum(['true', 'false'], 'must be true or false')
            .default('false')
            .describe('The older name of `archived=any`.'),
        }),
        backendQuery: BackendSessionQuery,
        queryObjects: ['metadata'],
        response: SessionPage,
        problems: ['NOT_FOUND', 'EMBED_FEATURE_DISABLED'],
      },
      async ({ c, caller, query, backendQuery }) => {
        const { signal } = c.req.raw;
        if (caller.kind === 'backend') return listForBackend(caller, backendQuery, signal);
        if (caller.sessionId !== null) throw notFound('This token opens only one session.');
        // `threads` of the agent's settings only hides the list in the widget.
        if (caller.features.threads === false) requireFeature(services.agents, caller, 'threads');
        const agent = services.agents.find(caller.agentId);
        const list = query.query === '' ? 'sessions' : 'found_sessions';
        const filter = {
          position: decodeCursor(list, query.page),
          archived: query.archived ?? (query.include_archived === 'true' ? 'any' : 'false'),
        } as const;
        if (query.query !== '') {
          const searchFilter = { ...filter, limit: query.limit, query: query.query };
          const found = await search.find(
            caller,
            searchFilter,
            readBytesOf(services, c, caller),
            signal,
          );
          const next = found.next && encodeCursor(list, found.next);
          const data = found.rows.map((row) => toSession(row, agent));
          return { data, next_cursor: next, next_page: next };
        }
        const rows = await sessions.list(caller, { ...filter, limit: query.limit + 1 });
        return toPage(
          list,
          rows,
          query.limit,
          (row) => Number(row.active_at),
          (row) => toSession(row, agent),
        );
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id',
        audience: 'any',
        tag: 'Sessions',
        summary: 'Read a conversation’s state',
        description:
          'With an embed token, a conversation of its user. With an API key, any conversation, with its user and the token that created it.',
        response: Session,
        problems: ['NOT_FOUND'],
      },
      ({ caller, param }) => readSession(caller, param('id')),
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Change title or metadata',
        description:
          'Members that are left out keep their value. A metadata key set to null is removed.',
        body: UpdateSessionRequest,
        response: Session,
        problems: ['NOT_FOUND', 'CONFLICT', 'EMBED_QUOTA_EXCEEDED'],
      },
      async ({ caller, param, body }) => {
        await updateSession(services, await sessions.readOwn(caller, param('id')), body);
        return readSession(caller, param('id'));
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/archive',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Archive a conversation',
        description:
          'Interrupts its run, refuses further events, and removes the conversation from the list.',
        response: Session,
        problems: ['NOT_FOUND'],
      },
      async ({ caller, param }) => {
        await archiveSession(services, await sessions.readOwn(caller, param('id')));
        return readSession(caller, param('id'));
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/unarchive',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Restore an archived conversation',
        description: 'It accepts events again, and returns to the list. Idempotent.',
        response: Session,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ caller, param }) => {
        await unarchiveSession(services, await sessions.readOwn(caller, param('id')));
        return readSession(caller, param('id'));
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/terminate',
        endsAccess: true,
        audience: 'backend',
        tag: 'Sessions',
        summary: 'End a conversation permanently',
        description:
          'Interrupts its run, and refuses further events. The user sees `reason`. Idempotent: the first reason is kept. A tool does the same with `context.endConversation(reason)`.',
        body: TerminateSessionRequest,
        response: Session,
        problems: ['NOT_FOUND'],
      },
      async ({ param, body }) => {
        await terminateSession(services, await sessions.read(param('id')), body.reason ?? null);
        const row = await sessions.read(param('id'));
        return toSession(row, services.agents.find(row.agent_id));
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id/export',
        audience: 'any',
        tag: 'Rights',
        summary: 'Export a conversation',
        description:
          'A file for the user: the current branch as `markdown`, or the session with its complete log as `json`.',
        query: z.looseObject({
          format: z.enum(['markdown', 'json'], 'must be markdown or json').default('markdown'),
        }),
        response: ExportedSession,
        responseType: 'text/markdown',
        problems: ['NOT_FOUND', 'EMBED_FEATURE_DISABLED'],
      },
      async ({ c, caller, param, query }) => {
        const row = await sessions.readFor(caller, param('id'));
        if (caller.kind === 'end_user') requireFeature(services.agents, caller, 'export');
        const session = convert(caller, row);
        const release = await admitOne(services, caller, 'export');
        try {
          // Markdown reads the log twice.
          const reads = query.format === 'markdown' ? 2 : 1;
          await readBytesOf(services, c, caller)(reads * Number(row.log_bytes));
        } catch (error) {
          release();
          throw error;
        }
        const file = exportSession(services, session, query.format, caller);
        return streamBody(c, services.log, {
          chunks: encode(thenCall(file.text, release)),
          close: release,
          idleSeconds: services.config.limits.request.download_idle_seconds,
          headers: {
            'content-type': `${file.type}; charset=utf-8`,
            'content-disposition': `attachment; filename="${file.name}"`,
          },
        });
      },
    ),

    route(
      {
        method: 'delete',
        path: '/agent/v1/sessions/:id',
        audience: 'any',
        tag: 'Sessions',
        summary: 'Delete a conversation with everything in it',
        response: DeletedSession,
        problems: ['NOT_FOUND', 'EMBED_FEATURE_DISABLED'],
      },
      async ({ caller, param }) => {
        const session = await sessions.readFor(caller, param('id'));
        if (caller.kind === 'end_user') requireFeature(services.agents, caller, 'delete');
        await deleteSession(services, session);
        return { type: 'session_deleted' as const, id: session.id };
      },
    ),
  ];
}

/** Calls `release` when the texts have been read, or are not read any further. */
async function* thenCall(
  texts: AsyncIterable<string>,
  release: () => void,
): AsyncGenerator<string> {
  try {
    yield* texts;
  } finally {
    release();
  }
}
