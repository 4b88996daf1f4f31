import type { Family } from '../gateway/families.ts';
import { type Route, route } from '../http/route.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { ChatModel } from './chat-model.ts';
import { listQuery } from './lists.ts';
import { draftResponse } from './response-draft.ts';
import { ResponseRequest } from './response-request.ts';

/** Routes of responses (service reference, section 4.13, rules 1 to 4). */
export function responseRoutes(services: Services, chatModel: ChatModel, family: Family): Route[] {
  const { background, responses } = chatModel;
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
      },
      async ({ c, caller, body }) => {
        if (body.background) {
          const draft = await draftResponse(services, chatModel, caller.owner, body);
          return c.json(await background.add(draft, body));
        }
        // Loaded on first use, so that the server starts faster.
        const { createResponse } = await import('./create-response.ts');
        return createResponse(c, services, { stores: chatModel, family }, caller.owner, body);
      },
    ),

    route(
      { ...responseRoute, method: 'get', summary: 'Read a response' },
      async ({ c, caller, param }) => {
        if (c.req.query('stream') === 'true') {
          throw new ApiError(
            'VALIDATION_ERROR',
            '`stream` must not be true: a stored response cannot be streamed. Poll it instead.',
            { param: 'stream' },
          );
        }
        return c.json(await responses.read(caller.owner, param('id')));
      },
    ),

    route(
      { ...responseRoute, method: 'delete', summary: 'Delete a response' },
      async ({ c, caller, param }) => {
        const id = param('id');
        await responses.delete(caller.owner, id);
        background.stop(id);
        return c.json({ id, object: 'response', deleted: true });
      },
    ),

    route(
      {
        ...responseRoute,
        method: 'post',
        path: `${base}/:id/cancel`,
        summary: 'Cancel a background response',
      },
      async ({ c, caller, param }) => c.json(await background.cancel(caller.owner, param('id'))),
    ),

    route(
      {
        ...responseRoute,
        method: 'get',
        path: `${base}/:id/input_items`,
        summary: 'List the resolved input of a response',
        query: listQuery('desc'),
      },
      async ({ c, caller, param, query }) =>
        c.json(await responses.listInput(caller.owner, param('id'), query)),
    ),
  ];
}
