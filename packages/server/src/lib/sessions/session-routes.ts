import { CreateSessionRequest, Session, SessionPage, UpdateSessionRequest } from '@inlay/protocol';
import * as z from 'zod';
import type { EndUserCaller } from '../auth/caller.ts';
import { pageQuery, readPosition, toPage } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { isoTime } from '../ports/clock.ts';
import { newId } from '../ports/random.ts';
import { openStream } from '../stream/open-stream.ts';
import { archiveSession, deleteSession, updateSession } from './change-session.ts';
import type { Conversations } from './conversations.ts';
import { createSession } from './create-session.ts';
import { toSession } from './session-object.ts';

const DeletedSession = z.object({ type: z.literal('session_deleted'), id: z.string() });

/** Conversations of an end user: their own, and no other. */
export function sessionRoutes(conversations: Conversations): Route[] {
  const { services, sessions, hub } = conversations;
  const show = async (caller: EndUserCaller, id: string) =>
    toSession(await sessions.own(caller, id), services.agents.find(caller.agentId));

  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/sessions',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Start a conversation',
        description:
          'With `Accept: text/event-stream` the answer is the stream: `session.created`, then everything that follows. So the first message of a conversation, in `initial_events`, costs one round trip to its first token. With `Idempotency-Key` a repeat finds the session of the first time.',
        query: z.looseObject({
          event_deltas: z.union([z.string(), z.array(z.string())]).optional(),
        }),
        body: CreateSessionRequest,
        answer: Session,
        answers: 'text/event-stream',
        problems: [
          'CONFLICT',
          'EMBED_QUOTA_EXCEEDED',
          'EMBED_BUDGET_EXCEEDED',
          'SERVICE_UNAVAILABLE',
        ],
      },
      async ({ c, caller, body, query }) => {
        const asksForStream = c.req.header('accept')?.includes('text/event-stream');
        // Before anything is made: who is sent away must be able to ask again for the same.
        if (asksForStream) await hub.gate.enter();
        const session = await createSession(
          conversations,
          caller,
          body,
          c.req.header('idempotency-key'),
        );
        if (!asksForStream) return session;
        return openStream(
          c,
          { services, hub },
          {
            caller,
            sessionId: session.id,
            after: 0,
            deltas: query.event_deltas,
            first: {
              type: 'session.created',
              id: newId(services.random, 'evt_'),
              processed_at: isoTime(services.clock.now()),
              session,
            },
          },
        );
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'List one’s conversations, newest first',
        query: z.looseObject({
          ...pageQuery,
          include_archived: z.enum(['true', 'false'], 'must be true or false').default('false'),
        }),
        answer: SessionPage,
      },
      async ({ caller, query }) => {
        const agent = services.agents.find(caller.agentId);
        const rows = await sessions.list(caller, {
          position: readPosition(query.page),
          limit: query.limit + 1,
          includeArchived: query.include_archived === 'true',
        });
        return toPage(rows, query.limit, (row) => toSession(row, agent));
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Read a conversation’s state',
        answer: Session,
        problems: ['NOT_FOUND'],
      },
      ({ caller, param }) => show(caller, param('id')),
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Change title or metadata',
        description: 'A field that is left out stays. A metadata key set to null goes.',
        body: UpdateSessionRequest,
        answer: Session,
        problems: ['NOT_FOUND'],
      },
      async ({ caller, param, body }) => {
        await updateSession(conversations, await sessions.own(caller, param('id')), body);
        return show(caller, param('id'));
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/archive',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Put a conversation away',
        description: 'It stops what runs, takes no more events, and leaves the list.',
        answer: Session,
        problems: ['NOT_FOUND'],
      },
      async ({ caller, param }) => {
        await archiveSession(conversations, await sessions.own(caller, param('id')));
        return show(caller, param('id'));
      },
    ),

    route(
      {
        method: 'delete',
        path: '/agent/v1/sessions/:id',
        audience: 'end_user',
        tag: 'Sessions',
        summary: 'Delete a conversation with everything in it',
        answer: DeletedSession,
        problems: ['NOT_FOUND'],
      },
      async ({ caller, param }) => {
        const session = await sessions.own(caller, param('id'));
        await deleteSession(conversations, session);
        return { type: 'session_deleted' as const, id: session.id };
      },
    ),
  ];
}
