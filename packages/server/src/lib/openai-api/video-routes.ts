import * as z from 'zod';
import { type Route, route } from '../http/route.ts';
import type { Family } from '../upstreams/families.ts';
import type { ChatModel } from './chat-model.ts';
import { listQuery } from './lists.ts';

const ContentQuery = z.looseObject({
  variant: z
    .enum(['video', 'thumbnail'], 'must be video or thumbnail; a spritesheet is not supported')
    .default('video'),
  index: z.literal('0', 'must be 0').optional(),
});

/** Routes of video tasks (docs/conformance.md, 4.13.8). */
export function videoRoutes(
  { videos }: Pick<ChatModel, 'videos'>,
  { prefix, version }: Pick<Family, 'prefix' | 'version'>,
): Route[] {
  const base = `${prefix}${version}/videos`;
  const common = { audience: 'backend', tag: 'Videos', response: null } as const;
  const videoRoute = { ...common, path: `${base}/:id` } as const;
  return [
    route(
      {
        ...common,
        method: 'post',
        path: base,
        summary: 'Create a video task',
        // Accepts JSON, or a form that can contain an image.
        accepts: '*/*',
      },
      ({ c, caller, recheck }) => videos.create(c, caller.owner, recheck),
    ),

    route(
      { ...common, method: 'get', path: base, summary: 'List the tasks', query: listQuery('desc') },
      async ({ c, caller, query }) => c.json(await videos.list(c, caller.owner, query)),
    ),

    route({ ...videoRoute, method: 'get', summary: 'Read a task' }, ({ c, caller, param }) =>
      videos.read(c, caller.owner, param('id')),
    ),

    route({ ...videoRoute, method: 'delete', summary: 'Delete a task' }, ({ c, caller, param }) =>
      videos.delete(c, caller.owner, param('id')),
    ),

    route(
      {
        ...videoRoute,
        method: 'get',
        path: `${base}/:id/content`,
        summary: 'Download a video',
        query: ContentQuery,
      },
      ({ c, caller, param, query }) => videos.download(c, caller.owner, param('id'), query.variant),
    ),
  ];
}
