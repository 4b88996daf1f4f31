import { DatabaseEventPage, DatabasePage, DatabaseResource, idPrefix } from '@inlay/protocol';
import { type Route, route } from '../http/route.ts';
import { newId } from '../random.ts';
import { Registry } from '../registries/registry.ts';
import { registryRoutes } from '../registries/registry-routes.ts';
import type { Services } from '../services.ts';
import {
  AddFieldRequest,
  addField,
  addTable,
  CreateTableRequest,
  changeTables,
  deleteField,
  deleteTable,
  toDatabase,
  UpdateFieldRequest,
  UpdateTableRequest,
  updateField,
  updateTable,
} from './schema-changes.ts';

const base = '/database/v1/databases';

/**
 * Routes for databases with their tables and fields, and for the log of their changes (service
 * reference, sections 2.5, 4.10 and 6.1). The platform stores the schema, not the rows.
 */
export function databaseRoutes(services: Services): Route[] {
  const registry = new Registry(services, 'database');
  const tag = 'Databases';
  const shared = {
    audience: 'backend',
    tag,
    beta: true,
    response: DatabaseResource,
    problems: ['NOT_FOUND', 'CONFLICT'],
  } as const;
  const tables = `${base}/:id/tables`;
  const fields = `${tables}/:table/fields`;
  const { database_bytes: maximumBytes } = services.config.limits.request;
  const newIdOf = (kind: 'table' | 'field') => newId(services.random, idPrefix[kind]);

  /** Changes the tables of a database, and returns the database. */
  const change = async (id: string, work: Parameters<typeof changeTables>[1]) =>
    toDatabase(await registry.change(id, (row) => changeTables(row, work, maximumBytes)));

  return [
    ...registryRoutes(services, {
      registry,
      base,
      tag,
      noun: 'a database',
      resource: DatabaseResource,
      page: DatabasePage,
      events: DatabaseEventPage,
      toResource: toDatabase,
    }),

    route(
      {
        ...shared,
        method: 'post',
        path: tables,
        summary: 'Create a table',
        body: CreateTableRequest,
      },
      ({ param, body }) => change(param('id'), (list) => addTable(list, body, newIdOf)),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${tables}/:table`,
        summary: 'Change a table',
        description: 'Members that are left out keep their value. Identical values cause no event.',
        body: UpdateTableRequest,
      },
      ({ param, body }) => change(param('id'), (list) => updateTable(list, param('table'), body)),
    ),

    route(
      { ...shared, method: 'delete', path: `${tables}/:table`, summary: 'Delete a table' },
      ({ param }) => change(param('id'), (list) => deleteTable(list, param('table'))),
    ),

    route(
      { ...shared, method: 'post', path: fields, summary: 'Add a field', body: AddFieldRequest },
      ({ param, body }) =>
        change(param('id'), (list) => addField(list, param('table'), body, newIdOf)),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${fields}/:field`,
        summary: 'Change a field',
        description: 'Members that are left out keep their value. Identical values cause no event.',
        body: UpdateFieldRequest,
      },
      ({ param, body }) =>
        change(param('id'), (list) => updateField(list, param('table'), param('field'), body)),
    ),

    route(
      { ...shared, method: 'delete', path: `${fields}/:field`, summary: 'Delete a field' },
      ({ param }) =>
        change(param('id'), (list) => deleteField(list, param('table'), param('field'))),
    ),
  ];
}
