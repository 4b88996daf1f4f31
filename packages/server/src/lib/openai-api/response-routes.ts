import type { Context } from 'hono';
import * as z from 'zod';
import type { AppEnv } from '../http/env.ts';
import { type Route, route } from '../http/route.ts';
import { streamBody } from '../http/stream-body.ts';
import type { Services } from '../services.ts';
import type { Family } from '../upstreams/families.ts';
import type { ChatModel } from './chat-model.ts';
import { listQuery } from './lists.ts';
import { draftResponse } from './response-draft.ts';
import { ResponseRequest } from './response-request.ts';

const readQuery = z.looseObject({
  stream: z.enum(['true', 'false'], 'must be true or false').optional(),
  /** Sequence number of the last event that the caller has. */
  starting_after: z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a sequence number')
    .transform(Number)
    .optional(),
});

/** Routes of responses (docs/conformance.md, 4.13.1 to 4.13.4). */
export function responseRoutes(services: Services, chatModel: ChatModel, family: Family): Route[] {
  const { background, events, responses } = chatModel;
  const streamEvents = (c: Context<AppEnv>, id: string, after: number) =>
    streamBody(c, services.log, {
      chunks: events.stream(id, after, c.req.raw.signal),
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' },
    });
  const base = `${family.prefix}${family.version}/responses`;
  const common = { audience: 'backend', tag: 'Responses', response: null } as const;
  const responseRoute = { ...common, path: `${base}/:id` } as const;
  return [
    route(
      {
        ...common,
        method: 'post',
        path: base,
        summary: 'Create a response',
        body: ResponseRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      async ({ c, caller, body }) => {
        if (body.background) {
          const draft = await draftResponse(services, chatModel, caller.owner, body);
          const queued = await background.add(draft, body);
          return body.stream ? streamEvents(c, queued.id, -1) : queued;
        }
        // Loaded on first use, so that the server starts faster.
        const { createResponse } = await import('./create-response.ts');
        return createResponse(c, services, { stores: chatModel, family }, caller.owner, body);
      },
    ),

    route(
      { ...responseRoute, method: 'get', summary: 'Read a response', query: readQuery },
      async ({ c, caller, param, query }) => {
        if (query.stream !== 'true') return responses.read(caller.owner, param('id'));
        const { id } = await responses.find(caller.owner, param('id'));
        await events.requireStream(id);
        return streamEvents(c, id, query.starting_after ?? -1);
      },
    ),

    route(
      { ...responseRoute, method: 'delete', summary: 'Delete a response' },
      async ({ caller, param }) => {
        const id = param('id');
        await responses.delete(caller.owner, id);
        background.stop(id);
        events.notify(id);
        return { id, object: 'response', deleted: true };
      },
    ),

    route(
      {
        ...responseRoute,
        method: 'post',
        path: `${base}/:id/cancel`,
        summary: 'Cancel a background response',
      },
      ({ caller, param }) => background.cancel(caller.owner, param('id')),
    ),

    route(
      {
        ...responseRoute,
        method: 'get',
        path: `${base}/:id/input_items`,
        summary: 'List the resolved input of a response',
        query: listQuery('desc'),
      },
      ({ caller, param, query }) => responses.listInput(caller.owner, param('id'), query),
    ),
  ];
}
