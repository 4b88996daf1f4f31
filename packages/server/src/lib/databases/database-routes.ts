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
 * Routes for databases with their tables and fields, and for the log of their changes
 * (docs/conformance.md, 2.5, 4.10 and 6.1). The platform stores the schema, not the rows.
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
  const tablesPath = `${base}/:id/tables`;
  const fieldsPath = `${tablesPath}/:table/fields`;
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
      typeName: 'Database',
      resource: DatabaseResource,
      page: DatabasePage,
      events: DatabaseEventPage,
      toResource: toDatabase,
    }),

    route(
      {
        ...shared,
        method: 'post',
        path: tablesPath,
        summary: 'Create a table',
        body: CreateTableRequest,
      },
      ({ param, body }) => change(param('id'), (tables) => addTable(tables, body, newIdOf)),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${tablesPath}/:table`,
        summary: 'Change a table',
        description: 'Members that are left out keep their value. Identical values cause no event.',
        body: UpdateTableRequest,
      },
      ({ param, body }) =>
        change(param('id'), (tables) => updateTable(tables, param('table'), body)),
    ),

    route(
      { ...shared, method: 'delete', path: `${tablesPath}/:table`, summary: 'Delete a table' },
      ({ param }) => change(param('id'), (tables) => deleteTable(tables, param('table'))),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: fieldsPath,
        summary: 'Add a field',
        body: AddFieldRequest,
      },
      ({ param, body }) =>
        change(param('id'), (tables) => addField(tables, param('table'), body, newIdOf)),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${fieldsPath}/:field`,
        summary: 'Change a field',
        description: 'Members that are left out keep their value. Identical values cause no event.',
        body: UpdateFieldRequest,
      },
      ({ param, body }) =>
        change(param('id'), (tables) => updateField(tables, param('table'), param('field'), body)),
    ),

    route(
      { ...shared, method: 'delete', path: `${fieldsPath}/:field`, summary: 'Delete a field' },
      ({ param }) =>
        change(param('id'), (tables) => deleteField(tables, param('table'), param('field'))),
    ),
  ];
}
