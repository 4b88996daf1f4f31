import { DatabaseTable, fieldTypes } from '@inlay/protocol';
import * as z from 'zod';
import { ApiError, notFound } from '../problems/api-error.ts';
import type { ChangeDraft } from '../registries/change-log.ts';
import { Description, Name, type RegistryRow, toResource } from '../registries/registry.ts';

export const AddFieldRequest = z
  .strictObject({
    name: Name,
    type: z.enum(fieldTypes),
    required: z.boolean().default(false),
  })
  .meta({ id: 'AddFieldRequest' });
export const UpdateFieldRequest = z
  .strictObject({
    name: Name.optional(),
    type: z.enum(fieldTypes).optional(),
    required: z.boolean().optional(),
  })
  .meta({ id: 'UpdateFieldRequest' });
export const CreateTableRequest = z
  .strictObject({
    name: Name,
    description: Description.default(null),
    fields: z.array(AddFieldRequest).default([]),
  })
  .meta({ id: 'CreateTableRequest' });
export const UpdateTableRequest = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
  })
  .meta({ id: 'UpdateTableRequest' });

type NewId = (kind: 'table' | 'field') => string;

/**
 * Changes the tables of a database, and returns the events of the change.
 *
 * @param maximumBytes Maximum size of the changed tables as JSON, because responses contain all tables.
 * @throws ApiError `VALIDATION_ERROR` if the changed tables are larger.
 */
export function changeTables(
  row: RegistryRow,
  work: (tables: DatabaseTable[]) => ChangeDraft[],
  maximumBytes: number,
): ChangeDraft[] {
  const tables = parseTables(row);
  const changes = work(tables);
  row.content = JSON.stringify(tables);
  const bytes = Buffer.byteLength(row.content);
  if (bytes <= maximumBytes) return changes;
  const message = `must keep the JSON of the database’s tables to at most ${maximumBytes} bytes; it would have ${bytes}`;
  throw new ApiError(
    'VALIDATION_ERROR',
    `The change ${message}. Shorten names and descriptions, or delete tables.`,
    {
      errors: [{ pointer: '', message }],
    },
  );
}

/** Converts a row to the database that the API returns. */
export function toDatabase(row: RegistryRow) {
  return { ...toResource(row), tables: parseTables(row) };
}

const parseTables = ({ content }: RegistryRow): DatabaseTable[] =>
  z.array(DatabaseTable).parse(JSON.parse(content));

export function addTable(
  tables: DatabaseTable[],
  { fields, ...settings }: z.output<typeof CreateTableRequest>,
  newId: NewId,
): ChangeDraft[] {
  requireFree(tables, settings.name);
  const table: DatabaseTable = { id: newId('table'), ...settings, fields: [] };
  const added = fields.flatMap((field) => pushField(table, field, newId));
  tables.push(table);
  return [{ type: 'table.created', table_id: table.id }, ...added];
}

export function updateTable(
  tables: DatabaseTable[],
  id: string,
  changes: z.output<typeof UpdateTableRequest>,
): ChangeDraft[] {
  const table = find(tables, id, 'table');
  if (changes.name !== undefined) requireFree(tables, changes.name, id);
  return assign(table, changes) ? [{ type: 'table.updated', table_id: id }] : [];
}

export function deleteTable(tables: DatabaseTable[], id: string): ChangeDraft[] {
  tables.splice(tables.indexOf(find(tables, id, 'table')), 1);
  return [{ type: 'table.deleted', table_id: id }];
}

export function addField(
  tables: DatabaseTable[],
  tableId: string,
  settings: z.output<typeof AddFieldRequest>,
  newId: NewId,
): ChangeDraft[] {
  return pushField(find(tables, tableId, 'table'), settings, newId);
}

export function updateField(
  tables: DatabaseTable[],
  tableId: string,
  id: string,
  changes: z.output<typeof UpdateFieldRequest>,
): ChangeDraft[] {
  const { fields } = find(tables, tableId, 'table');
  const field = find(fields, id, 'field');
  if (changes.name !== undefined) requireFree(fields, changes.name, id);
  return assign(field, changes) ? [{ type: 'field.updated', table_id: tableId, field_id: id }] : [];
}

export function deleteField(tables: DatabaseTable[], tableId: string, id: string): ChangeDraft[] {
  const { fields } = find(tables, tableId, 'table');
  fields.splice(fields.indexOf(find(fields, id, 'field')), 1);
  return [{ type: 'field.deleted', table_id: tableId, field_id: id }];
}

function pushField(
  table: DatabaseTable,
  { name, type, required }: z.output<typeof AddFieldRequest>,
  newId: NewId,
): ChangeDraft[] {
  requireFree(table.fields, name);
  const id = newId('field');
  table.fields.push({ id, name, type, required });
  return [{ type: 'field.added', table_id: table.id, field_id: id }];
}

/** @throws ApiError `NOT_FOUND` */
function find<Item extends { id: string }>(items: Item[], id: string, noun: string): Item {
  const item = items.find((each) => each.id === id);
  if (!item) throw notFound(`The database has no such ${noun}.`);
  return item;
}

/**
 * @param ownId Id of the item that gets the name; undefined for a new item.
 * @throws ApiError `CONFLICT` if another item has the name.
 */
function requireFree(
  items: readonly { id: string; name: string }[],
  name: string,
  ownId?: string,
): void {
  if (items.some((item) => item.name === name && item.id !== ownId)) {
    throw new ApiError('CONFLICT', `The name \`${name}\` is taken. Choose another \`name\`.`);
  }
}

/** Sets the given members. Returns false if all of them already had these values. */
function assign<Item extends object>(
  item: Item,
  changes: { readonly [Name in keyof Item]?: Item[Name] | undefined },
): boolean {
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && item[name as keyof Item] !== value,
  );
  Object.assign(item, Object.fromEntries(changed));
  return changed.length > 0;
}
