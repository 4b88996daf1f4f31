import type { Insertable, Kysely, Selectable } from 'kysely';
import * as z from 'zod';
import { parseExact, stringifyExact } from '../exact-json.ts';
import { explain } from '../http/validate.ts';
import { newIdAt } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ChatModelItemsTable, Schema } from '../store/schema.ts';

/** An input or output item, with all members that the caller or the upstream sent. */
export type Item = z.output<typeof ItemInput>;
/** An item as clients get it. */
export interface ItemObject {
  readonly [name: string]: unknown;
  readonly id: string;
}
export type ItemRow = Pick<Selectable<ChatModelItemsTable>, 'id' | 'json'>;

const Text = z.string();
const Parts = z.array(z.looseObject({ type: z.string().min(1, 'must not be empty') }));
const TextOrParts = z.union([Text, Parts], 'must be a string or a list of parts with a `type`');

/**
 * Schemas of the item types whose members are validated. Items of other types only need a `type`.
 */
const itemSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    message: z.looseObject({
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content: TextOrParts,
    }),
    function_call: z.looseObject({ call_id: Text, name: Text, arguments: Text }),
    function_call_output: z.looseObject({ call_id: Text, output: TextOrParts }),
    reasoning: z.looseObject({ summary: Parts }),
    item_reference: z.looseObject({ id: Text }),
  }),
);

/** An item that a caller sends. Without a `type`, it is a message. */
export const ItemInput = z
  .looseObject({
    type: z
      .string()
      .min(1, 'must not be empty')
      .max(64, 'must have at most 64 characters')
      .nullish(),
    id: Text.nullish(),
  })
  .superRefine((item, context) => {
    const { error } = itemSchemas.get(typeOf(item))?.safeParse(item, { error: explain }) ?? {};
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', path, message });
    }
  });

/** An item that a caller adds to a conversation. It cannot be a reference to another item. */
export const StoredItemInput = ItemInput.refine((item) => typeOf(item) !== 'item_reference', {
  path: ['type'],
  error: 'must not be `item_reference`: send the item itself',
});

/** Returns the type of an item. Messages may omit the type. */
export function typeOf({ type }: { type?: unknown }): string {
  return typeof type === 'string' ? type : 'message';
}

/** Prefixes of item ids (docs/conformance.md, 4.13.4). */
const idPrefixes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    message: 'msg_',
    function_call: 'fc_',
    function_call_output: 'fco_',
    reasoning: 'rs_',
    custom_tool_call: 'ctc_',
    custom_tool_call_output: 'ctco_',
    web_search_call: 'ws_',
    file_search_call: 'fs_',
    computer_call: 'cu_',
    computer_call_output: 'cuo_',
    image_generation_call: 'ig_',
    code_interpreter_call: 'ci_',
    mcp_call: 'mcp_',
    mcp_list_tools: 'mcpl_',
    mcp_approval_request: 'mcpr_',
    mcp_approval_response: 'mcpa_',
  }),
);

/** Creates the id of an item. */
export function newItemId(
  { random, clock }: Pick<ServiceOptions, 'random' | 'clock'>,
  type: string,
): string {
  return newIdAt(random, clock.now(), idPrefixes.get(type) ?? 'item_');
}

/**
 * Returns the id of an output item. A reasoning item keeps the id that it has at the upstream,
 * because its encrypted content is bound to this id. If that id is too short to be unique among the
 * items of all responses, the item gets a new id.
 */
export function outputItemId(
  services: Parameters<typeof newItemId>[0],
  item: { type?: unknown; id?: unknown },
): string {
  const type = typeOf(item);
  const { id } = item;
  const isKept = type === 'reasoning' && typeof id === 'string' && /^rs_[\w-]{20,125}$/.test(id);
  return isKept ? id : newItemId(services, type);
}

/** Parses the JSON of an item that `insertItems` has stored. */
export function parseItem(json: string): Item {
  return parseExact(json) as Item;
}

/**
 * Converts a row to the item that clients get, with its id. A message gets a `status`, and its
 * content becomes a list of parts.
 */
export function toItem({ id, json }: ItemRow): ItemObject {
  const item = parseItem(json);
  const type = typeOf(item);
  if (type !== 'message') return { ...item, id, type };
  const { content, role } = item;
  return {
    status: 'completed',
    ...item,
    id,
    type,
    content: typeof content === 'string' ? [toPart(content, role)] : content,
  };
}

function toPart(text: string, role: unknown): object {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [] }
    : { type: 'input_text', text };
}

/**
 * Maximum number of rows that one statement inserts, because databases limit the parameters of a
 * statement.
 */
const rowsPerStatement = 500;

/** Inserts items with ascending `seq`, starting with `firstSeq`. */
export async function insertItems(
  db: Kysely<Schema>,
  parentId: string,
  firstSeq: number,
  items: readonly { id: string; source: 'input' | 'output'; item: object }[],
): Promise<ItemRow[]> {
  const rows: Insertable<ChatModelItemsTable>[] = items.map(({ id, source, item }, index) => ({
    parent_id: parentId,
    seq: firstSeq + index,
    id,
    source,
    json: stringifyExact(item),
  }));
  for (let index = 0; index < rows.length; index += rowsPerStatement) {
    const part = rows.slice(index, index + rowsPerStatement);
    await db.insertInto('chat_model_items').values(part).execute();
  }
  return rows;
}

/** Returns the `seq` of the next item. The caller must hold a lock on the parent. */
export async function nextSeq(db: Kysely<Schema>, parentId: string): Promise<number> {
  const row = await db
    .selectFrom('chat_model_items')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
  return row?.last === null || row === undefined ? 0 : Number(row.last) + 1;
}
