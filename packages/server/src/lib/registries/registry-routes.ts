import type * as z from 'zod';
import { type Route, route } from '../http/route.ts';
import { SeqPageQuery } from '../http/seq-paging.ts';
import type { Services } from '../services.ts';
import { readChanges } from './change-log.ts';
import {
  CreateRequest,
  ListQuery,
  type Registry,
  type RegistryRow,
  UpdateRequest,
} from './registry.ts';

interface RegistryApi {
  registry: Registry;
  /** Path of the list, such as `/database/v1/databases`. */
  base: string;
  tag: string;
  /** Noun with its article, such as `a database`. */
  noun: string;
  /** Part of the names of the request schemas, such as `Database` in `CreateDatabaseRequest`. */
  typeName: string;
  resource: z.core.$ZodType;
  page: z.core.$ZodType;
  events: z.core.$ZodType;
  toResource: (row: RegistryRow) => object;
}

/** The routes that databases and media libraries have in common. */
export function registryRoutes({ store }: Pick<Services, 'store'>, api: RegistryApi): Route[] {
  const { registry, base, tag, noun, typeName, resource, toResource } = api;
  const plural = base.split('/').at(-1) ?? '';
  // Extensions: the rules describe only the route for the events (docs/conformance.md, 4.10 and 4.11).
  const extension = { audience: 'backend', tag, beta: true, response: resource } as const;
  const single = { ...extension, path: `${base}/:id` } as const;

  return [
    route(
      {
        ...extension,
        method: 'get',
        path: base,
        summary: `List the ${plural}, newest first`,
        description: `Without deleted ${plural}.`,
        query: ListQuery,
        response: api.page,
      },
      async ({ query }) => {
        const page = await registry.list(query);
        return { ...page, data: page.data.map(toResource) };
      },
    ),

    route(
      {
        ...extension,
        method: 'post',
        path: base,
        summary: `Create ${noun}`,
        body: CreateRequest.meta({ id: `Create${typeName}Request` }),
      },
      async ({ body }) => toResource(await registry.create(body)),
    ),

    route(
      { ...single, method: 'get', summary: `Read ${noun}`, problems: ['NOT_FOUND'] },
      async ({ param }) => toResource(await registry.find(param('id'))),
    ),

    route(
      {
        ...single,
        method: 'post',
        summary: `Change the name or description of ${noun}`,
        description: 'Members that are left out keep their value.',
        body: UpdateRequest.meta({ id: `Update${typeName}Request` }),
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body }) => toResource(await registry.update(param('id'), body)),
    ),

    route(
      {
        ...single,
        method: 'delete',
        summary: `Delete ${noun}`,
        description:
          'It is `deleting` for seven days, in which it can be restored. Its events stay readable, also when it is deleted.',
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => toResource(await registry.delete(param('id'))),
    ),

    route(
      {
        ...extension,
        method: 'post',
        path: `${base}/:id/restore`,
        summary: `Restore ${noun} that is being deleted`,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => toResource(await registry.restore(param('id'))),
    ),

    route(
      {
        method: 'get',
        path: `${base}/:id/events`,
        audience: 'backend',
        tag,
        summary: `Read the event log of ${noun}`,
        description:
          '`next_cursor` is the `seq` of the last event: send it as `after_seq` in ascending order, as `before_seq` in descending order.',
        query: SeqPageQuery,
        response: api.events,
        problems: ['NOT_FOUND'],
      },
      async ({ param, query }) => {
        const { id } = await registry.find(param('id'));
        return readChanges(store.db, id, query);
      },
    ),
  ];
}
