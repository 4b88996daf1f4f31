import {
  Action,
  type ActionImplementation,
  ActionPage,
  ActionRevision,
  ActionRevisionPage,
  CreateActionRequest,
  UpdateActionRequest,
} from '@inlay/protocol';
import { canonicalJson } from '@inlay/protocol/input-hash';
import * as z from 'zod';
import { isoTime } from '../clock.ts';
import { pageQuery } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import {
  Automations,
  EmptyRequest,
  type ListedRow,
  ListQuery,
  type NewRevision,
  type RevisionRow,
  readPath,
  toResource,
} from './automations.ts';
import { digestOf, requireSize } from './digest.ts';
import { platformApisOf } from './source.ts';
import { writeOnce } from './write-once.ts';

/** Contract and implementation of an action: the part of a revision that its digest covers. */
type Definition = Pick<
  ActionRevision,
  'input_schema' | 'output_schema' | 'errors' | 'annotations' | 'timeout_ms' | 'implementation'
>;
type RevisionContent = Definition & Pick<ActionRevision, 'platform_apis'>;

const actionsPath = '/automation/v1/actions';
const actionPath = `${actionsPath}/:ns/:name`;
/** Default timeout of an action with code, in milliseconds (docs/conformance.md, 8.4). */
const defaultTimeout = 30_000;

/** Routes of actions and their revisions (docs/conformance.md, 2.3 and 4.9). */
export function actionRoutes(services: Services): Route[] {
  const { store, config } = services;
  const actions = new Automations(services, 'action');
  const shared = { audience: 'backend', tag: 'Actions' } as const;
  const lookupProblems = ['INVALID_PARAMS', 'ACTION_NOT_FOUND'] as const;

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: actionsPath,
        summary: 'List actions, newest first',
        description: 'Without archived ones, unless `include_archived` is true.',
        query: ListQuery,
        queryObjects: ['labels'],
        response: ActionPage,
      },
      async ({ query }) => {
        const page = await actions.list(query);
        return { ...page, data: await toActions(page.data) };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: actionsPath,
        summary: 'Create an action',
        description: 'Only `code` can be created: other implementations are not supported yet.',
        body: CreateActionRequest,
        headers: ['Idempotency-Key'],
        response: Action,
        problems: ['NAMESPACE_FORBIDDEN', 'NAME_TAKEN', 'CONFLICT', 'OPERATION_NOT_SUPPORTED'],
      },
      (call) =>
        writeOnce(services, call, async (transaction) => {
          const { namespace, name, description, labels, message, ...members } = call.body;
          const settings = { namespace, name, description, labels };
          const row = await actions.create(transaction, settings, null);
          const { annotations, timeout_ms = defaultTimeout, ...definition } = members;
          const revision = toNewRevision(
            {
              ...definition,
              timeout_ms,
              annotations: {
                read_only: annotations.read_only ?? false,
                idempotent: annotations.idempotent ?? false,
              },
            },
            message,
          );
          await actions.append(transaction, row, call.caller, revision);
          return toAction(row, transaction);
        }),
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: actionPath,
        summary: 'Read an action',
        response: Action,
        problems: lookupProblems,
      },
      async ({ param }) => toAction(await actions.find(readPath(param))),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: actionPath,
        summary: 'Change an action',
        description:
          'Members that are left out keep their value. Another contract or implementation makes a new revision; identical content makes none, and `message` is then ignored.',
        body: UpdateActionRequest,
        response: Action,
        problems: [...lookupProblems, 'NAMESPACE_FORBIDDEN', 'CONFLICT', 'OPERATION_NOT_SUPPORTED'],
      },
      ({ param, body, caller }) => {
        const { description, labels, message = null, ...changes } = body;
        return store.transaction(async (transaction) => {
          const row = await actions.change(transaction, readPath(param), undefined, async (row) => {
            await actions.applySettings(transaction, row, { description, labels });
            const [current] = await readLatestRevisions([row], transaction);
            if (!current) throw new Error('The action has no revision.');
            const revision = toNewRevision(changeDefinition(contentOf(current), changes), message);
            if (revision.digest === current.digest) return;
            await actions.append(transaction, row, caller, revision);
          });
          return toAction(row, transaction);
        });
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${actionPath}/revisions`,
        summary: 'List the revisions of an action, newest first',
        query: z.looseObject(pageQuery),
        response: ActionRevisionPage,
        problems: ['ACTION_NOT_FOUND'],
      },
      async ({ param, query }) => {
        const page = await actions.listRevisions(readPath(param), query, revisionColumns);
        return { ...page, data: page.data.map(toRevision) };
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${actionPath}/revisions/:revision`,
        summary: 'Read a revision of an action',
        response: ActionRevision,
        problems: [...lookupProblems, 'NOT_FOUND'],
      },
      async ({ param }) => {
        const { id } = await actions.find(readPath(param));
        const row = await store.db
          .selectFrom('automation_revisions')
          .selectAll()
          .where('id', '=', param('revision'))
          .where('automation_id', '=', id)
          .executeTakeFirst();
        if (!row) throw notFound('The action has no such revision.');
        return toRevision(row);
      },
    ),

    ...(['archive', 'restore'] as const).map((verb) =>
      route(
        {
          ...shared,
          method: 'post',
          path: `${actionPath}/${verb}`,
          ...(verb === 'archive'
            ? {
                summary: 'Archive an action',
                description:
                  'It is no longer listed by default, and cannot be changed. Its name stays reserved.',
              }
            : {
                summary: 'Restore an archived action',
                description: 'It keeps its current revision.',
              }),
          body: EmptyRequest,
          response: Action,
          problems: [...lookupProblems, 'NAMESPACE_FORBIDDEN'],
        },
        async ({ param }) =>
          toAction(await actions.setArchived(readPath(param), undefined, verb === 'archive')),
      ),
    ),
  ];

  function toNewRevision(definition: Definition, message: string | null): NewRevision {
    const { implementation } = definition;
    if (implementation.kind !== 'code') throw unsupportedImplementation(implementation);
    const canonical = canonicalJson(definition);
    requireSize(canonical, config.limits.request.automation_bytes, {
      pointer: '',
      name: 'contract and implementation of the action',
    });
    const content: RevisionContent = {
      ...definition,
      platform_apis: platformApisOf(implementation.source),
    };
    return {
      version: null,
      digest: digestOf(canonical),
      content: JSON.stringify(content),
      message,
    };
  }

  function readLatestRevisions(rows: readonly ListedRow[], db = store.db): Promise<RevisionRow[]> {
    const ids = rows.flatMap(({ latest_id: id }) => id ?? []);
    if (ids.length === 0) return Promise.resolve([]);
    return db.selectFrom('automation_revisions').selectAll().where('id', 'in', ids).execute();
  }

  async function toAction(row: ListedRow, db = store.db): Promise<Action> {
    const [action] = await toActions([row], db);
    if (!action) throw new Error('The row was not converted to an action.');
    return action;
  }

  async function toActions(rows: readonly ListedRow[], db = store.db): Promise<Action[]> {
    const revisions = new Map((await readLatestRevisions(rows, db)).map((each) => [each.id, each]));
    const dependents = await countDependents(rows, db);
    return rows.map((row) => {
      const current = revisions.get(row.latest_id ?? '');
      if (!current) throw new Error('The action has no revision.');
      const count = (kind: 'script' | 'workflow') => dependents.get(`${kind} ${nameOf(row)}`) ?? 0;
      return {
        ...toResource(row, config.tenant),
        // The platform has no built-in actions.
        builtin: false,
        current_revision: toRevision(current),
        // The platform runs no actions.
        stats_7d: { calls: 0, failures: 0, p50_ms: null },
        dependents: { scripts: count('script'), workflows: count('workflow') },
      };
    });
  }

  /**
   * Counts the scripts and workflows that refer to each action, without archived ones. The keys of the
   * result consist of a kind and the name of an action, such as `script tools/add`.
   */
  async function countDependents(
    rows: readonly ListedRow[],
    db = store.db,
  ): Promise<Map<string, number>> {
    if (rows.length === 0) return new Map();
    const counted = await db
      .selectFrom('automation_references')
      .innerJoin('automations', 'automations.id', 'automation_references.automation_id')
      .select(({ fn }) => [
        'automations.kind',
        'automation_references.action',
        fn.count('automations.id').distinct().as('count'),
      ])
      .where('automation_references.action', 'in', rows.map(nameOf))
      .where('automations.archived_at', 'is', null)
      .groupBy(['automations.kind', 'automation_references.action'])
      .execute();
    return new Map(counted.map(({ kind, action, count }) => [`${kind} ${action}`, Number(count)]));
  }
}

const nameOf = ({ namespace, name }: ListedRow) => `${namespace}/${name}`;

/** Parses the content that `toNewRevision` serializes. */
const contentOf = ({ content }: Pick<RevisionRow, 'content'>) =>
  JSON.parse(content) as RevisionContent;

const revisionColumns = ['id', 'digest', 'content', 'created_by', 'message', 'created_at'] as const;

function toRevision(row: Pick<RevisionRow, (typeof revisionColumns)[number]>): ActionRevision {
  return {
    id: row.id,
    digest: row.digest,
    ...contentOf(row),
    // The host of user code. The other hosts belong to implementations that cannot be created.
    host: 'isolate',
    created_by: JSON.parse(row.created_by) as ActionRevision['created_by'],
    message: row.message,
    created_at: isoTime(Number(row.created_at)),
  };
}

/**
 * Returns the current definition with changed members. Omitted members and omitted annotations keep
 * their value.
 */
function changeDefinition(
  current: RevisionContent,
  changes: Omit<z.output<typeof UpdateActionRequest>, 'description' | 'labels' | 'message'>,
): Definition {
  return {
    input_schema: changes.input_schema ?? current.input_schema,
    output_schema: changes.output_schema ?? current.output_schema,
    errors: changes.errors ?? current.errors,
    annotations: {
      read_only: changes.annotations?.read_only ?? current.annotations.read_only,
      idempotent: changes.annotations?.idempotent ?? current.annotations.idempotent,
    },
    timeout_ms: changes.timeout_ms ?? current.timeout_ms,
    implementation: changes.implementation ?? current.implementation,
  };
}

function unsupportedImplementation({ kind }: ActionImplementation): ApiError {
  return new ApiError(
    'OPERATION_NOT_SUPPORTED',
    `Actions with a ${kind} implementation cannot be created yet. Use \`kind: "code"\`.`,
  );
}
