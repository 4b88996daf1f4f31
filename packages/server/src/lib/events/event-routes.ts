import {
  Feedback,
  FeedbackList,
  FeedbackRecordPage,
  FeedbackRequest,
  pageOf,
  SendEventsRequest,
} from '@inlay/protocol';
import * as z from 'zod';
import { requireFeature } from '../agents/require-feature.ts';
import { type Route, route } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import { callerScope } from '../idempotency/idempotent.ts';
import { readBytesOf } from '../limits/read-bytes.ts';
import type { Services } from '../services.ts';
import { openStream, startOfStream } from '../stream/open-stream.ts';
import { waitForEvents } from '../stream/wait-for-events.ts';
import { FeedbackQuery, listAllFeedback } from './all-feedback.ts';
import { eventForCaller } from './event-for-caller.ts';
import { EventPageQuery, readEventPage } from './event-page.ts';
import { giveFeedback, listFeedback } from './feedback.ts';
import { sendEvents } from './send-events.ts';

/** Members of every event. Loose, so that the API description allows all event types. */
const Event = z
  .looseObject({
    type: z.string(),
    id: z.string(),
    processed_at: z.string(),
    seq: z.int(),
  })
  .meta({ id: 'SessionEvent' });
const EventPage = pageOf(Event).register(z.globalRegistry, { id: 'SessionEventPage' });
const EventList = z.object({ data: z.array(Event) }).meta({ id: 'SessionEventList' });

/** Routes that read, append and stream the events of a session. */
export function eventRoutes(services: Services): Route[] {
  const { sessions, events, hub } = services;

  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id/events',
        audience: 'any',
        tag: 'Events',
        summary: 'Read the log, or wait for new events',
        description:
          'With `after_seq` and `wait`, the response is delayed until there is an event, or until `wait` seconds have passed (long polling): for networks whose proxies buffer streams. If the token ends during this time, the response is the corresponding problem.',
        query: EventPageQuery,
        response: EventPage,
        problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      },
      async ({ c, caller, param, query }) => {
        const takeBytes = readBytesOf(services, c, caller);
        const read = async () => {
          const session = await sessions.readFor(caller, param('id'));
          const page = await readEventPage(services, session.id, query, takeBytes);
          return { ...page, data: page.data.map((event) => eventForCaller(event, caller)) };
        };
        const page = await read();
        if (page.data.length > 0 || query.wait === 0) return page;
        const request = { caller, sessionId: param('id'), seconds: query.wait, read };
        return waitForEvents(c, services, request);
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/events',
        audience: 'end_user',
        tag: 'Events',
        summary: 'Send a message, interrupt a run, confirm or answer a tool call, answer a card',
        description:
          'Events that are sent during a run are appended immediately, and handled after the run. With `Idempotency-Key`, a repetition returns the first response and appends nothing; the same key with another body is a `CONFLICT`. A message whose `parent_id` is not the end of the current branch starts another branch: it interrupts the run, and the agent does not see the messages after that parent. A confirmation with the `input_hash` of another call, and a second answer to a card, are a `CONFLICT`; the result of a call that the user has not confirmed is a `TOOL_CONFIRMATION_REQUIRED`.',
        body: SendEventsRequest,
        response: EventList,
        headers: ['Idempotency-Key'],
        problems: [
          'NOT_FOUND',
          'CONFLICT',
          'TOOL_CONFIRMATION_REQUIRED',
          'EMBED_FEATURE_DISABLED',
          'EMBED_QUOTA_EXCEEDED',
          'EMBED_BUDGET_EXCEEDED',
        ],
      },
      async ({ c, caller, param, body }) => {
        const key = c.req.header('idempotency-key');
        const { data } = await sendEvents(
          services,
          caller,
          param('id'),
          body.events,
          key,
          sourceOf(c, services.config.trusted_proxies),
        );
        return { data: [...data] };
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id/events/stream',
        audience: 'any',
        tag: 'Events',
        summary: 'Stream the events of a conversation',
        description:
          'Server-sent events. With `Last-Event-ID`, the stream starts after that event; with `0` or an unknown id, at the beginning of the log; without the header, with the next event. Fragments of events that are being produced are sent for the types in `event_deltas[]`. Once the event is in the log, its text replaces them, and they are not sent again. When the token or the API key ends, the stream ends with a `session.error` without an id.',
        query: z.looseObject({
          event_deltas: z
            .union([z.string(), z.array(z.string())])
            .optional()
            .describe('`agent.message`, `agent.thinking`, or both.'),
        }),
        response: null,
        headers: ['Last-Event-ID'],
        responseType: 'text/event-stream',
        problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      },
      async ({ c, caller, param, query }) => {
        const session = await sessions.readFor(caller, param('id'));
        const source = sourceOf(c, services.config.trusted_proxies);
        hub.gate.enter({ user: callerScope(caller), source });
        const lastSeq = await events.lastSeq(session.id);
        const after = startOfStream(c.req.header('last-event-id'), lastSeq);
        // Estimated, because the sizes of the events are not in an index.
        const share = lastSeq === 0 ? 0 : (lastSeq - after) / lastSeq;
        await readBytesOf(services, c, caller)(Math.ceil(Number(session.log_bytes) * share));
        return openStream(c, services, {
          caller,
          sessionId: session.id,
          after,
          deltas: query.event_deltas,
        });
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/sessions/:id/feedback',
        audience: 'end_user',
        tag: 'Events',
        summary: 'Rate an agent message',
        description: 'A second rating of the same message replaces the first.',
        body: FeedbackRequest,
        response: Feedback,
        problems: ['NOT_FOUND', 'EMBED_FEATURE_DISABLED'],
      },
      async ({ caller, param, body }) => {
        const session = await sessions.readOwn(caller, param('id'));
        requireFeature(services.agents, caller, 'feedback');
        return giveFeedback(services, session, body);
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/sessions/:id/feedback',
        audience: 'any',
        tag: 'Events',
        summary: 'List the feedback of a conversation',
        response: FeedbackList,
        problems: ['NOT_FOUND'],
      },
      async ({ caller, param }) => {
        const session = await sessions.readFor(caller, param('id'));
        return { data: await listFeedback(services, session) };
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/feedback',
        audience: 'backend',
        tag: 'Events',
        summary: 'List the feedback of all conversations',
        description:
          'Newest first, each with the start of the rated message, of the user’s message before it, and the conversation. With `agent_id`, a page may be short or empty and still have a `next_page`.',
        query: FeedbackQuery,
        response: FeedbackRecordPage,
      },
      ({ query }) => listAllFeedback(services, query),
    ),
  ];
}
