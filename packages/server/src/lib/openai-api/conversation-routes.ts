import { Metadata } from '@inlay/protocol';
import * as z from 'zod';
import { type Route, route } from '../http/route.ts';
import type { Family } from '../upstreams/families.ts';
import type { ChatModel } from './chat-model.ts';
import { StoredItemInput } from './items.ts';
import { listQuery, toList } from './lists.ts';

/** Maximum number of items in one request (docs/conformance.md, 8.4). */
const maximumItems = 20;

const Items = z.array(StoredItemInput).max(maximumItems, `must have at most ${maximumItems} items`);

const CreateRequest = z.strictObject({
  items: Items.nullish(),
  metadata: z.nullish(Metadata),
});
const UpdateRequest = z.strictObject({ metadata: z.nullable(Metadata) });
const AddItemsRequest = z.strictObject({ items: Items.min(1, 'must have at least one item') });

/** Routes of conversations and their items (docs/conformance.md, 4.13.6). */
export function conversationRoutes(
  { conversations }: Pick<ChatModel, 'conversations'>,
  { prefix, version }: Pick<Family, 'prefix' | 'version'>,
): Route[] {
  const base = `${prefix}${version}/conversations`;
  const common = { audience: 'backend', tag: 'Conversations', response: null } as const;
  const conversationRoute = { ...common, path: `${base}/:id` } as const;
  const itemsRoute = {
    ...common,
    path: `${base}/:id/items`,
    bodyLimit: 'model_json_bytes',
    exactBody: true,
  } as const;
  const itemRoute = { ...common, path: `${base}/:id/items/:item` } as const;
  return [
    route(
      {
        ...common,
        method: 'post',
        path: base,
        summary: 'Create a conversation',
        body: CreateRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      ({ caller, body }) =>
        conversations.create(caller.owner, body.metadata ?? {}, body.items ?? []),
    ),

    route(
      { ...conversationRoute, method: 'get', summary: 'Read a conversation' },
      ({ caller, param }) => conversations.read(caller.owner, param('id')),
    ),

    route(
      {
        ...conversationRoute,
        method: 'post',
        summary: 'Replace the metadata of a conversation',
        body: UpdateRequest,
      },
      ({ caller, param, body }) =>
        conversations.update(caller.owner, param('id'), body.metadata ?? {}),
    ),

    route(
      { ...conversationRoute, method: 'delete', summary: 'Delete a conversation with its items' },
      async ({ caller, param }) => {
        const id = param('id');
        await conversations.delete(caller.owner, id);
        return { id, object: 'conversation.deleted', deleted: true };
      },
    ),

    route(
      { ...itemsRoute, method: 'post', summary: 'Append items', body: AddItemsRequest },
      async ({ caller, param, body }) => {
        const added = await conversations.addItems(caller.owner, param('id'), body.items);
        return toList(added, added.length);
      },
    ),

    route(
      { ...itemsRoute, method: 'get', summary: 'List the items', query: listQuery('asc') },
      ({ caller, param, query }) => conversations.listItems(caller.owner, param('id'), query),
    ),

    route({ ...itemRoute, method: 'get', summary: 'Read an item' }, ({ caller, param }) =>
      conversations.readItem(caller.owner, param('id'), param('item')),
    ),

    route({ ...itemRoute, method: 'delete', summary: 'Delete an item' }, ({ caller, param }) =>
      conversations.deleteItem(caller.owner, param('id'), param('item')),
    ),
  ];
}
