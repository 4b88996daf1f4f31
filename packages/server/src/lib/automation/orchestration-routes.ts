import {
  CreateOrchestrationRequest,
  Orchestration,
  OrchestrationDraft,
  type OrchestrationKind,
  OrchestrationPage,
  OrchestrationVersion,
  OrchestrationVersionPage,
  PublishVersionRequest,
  SetDistTagRequest,
  UpdateOrchestrationRequest,
} from '@inlay/protocol';
import type { Transaction } from 'kysely';
import * as z from 'zod';
import { isoTime } from '../clock.ts';
import { pageQuery } from '../http/paging.ts';
import { type Call, type Route, type RouteDescription, route } from '../http/route.ts';
import { validate } from '../http/validate.ts';
import { ApiError, invalidField, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import {
  type AutomationRow,
  Automations,
  type Draft,
  EmptyRequest,
  type ListedRow,
  ListQuery,
  type RevisionRow,
  readPath,
  toResource,
  writeReferences,
} from './automations.ts';
import { digestOf, requireSize } from './digest.ts';
import { compareVersions } from './semantic-version.ts';
import { referencesOfScript, referencesOfWorkflow } from './source.ts';
import { writeOnce } from './write-once.ts';

const kinds = {
  script: { tag: 'Scripts', format: 'TypeScript', findReferences: referencesOfScript },
  workflow: { tag: 'Workflows', format: 'YAML', findReferences: referencesOfWorkflow },
} as const;

/** Maximum number of tags of one script or workflow. */
const maximumTags = 64;

const TagParameter = z.strictObject({
  // The first character is a letter, so that a tag is never a version.
  tag: z
    .string()
    .regex(
      /^[a-z][a-z0-9._-]{0,63}$/,
      'must have 1 to 64 lower-case letters, digits, `.`, `_` or `-`, and start with a letter',
    ),
});

/**
 * Routes of scripts or of workflows, with their drafts, versions and tags
 * (docs/conformance.md, 2.4 and 4.9).
 */
export function orchestrationRoutes(services: Services, kind: OrchestrationKind): Route[] {
  const { store, config } = services;
  const { tag, format, findReferences } = kinds[kind];
  const targets = new Automations(services, kind);
  const base = `/automation/v1/${kind}s`;
  const targetPath = `${base}/:ns/:name`;
  const shared = { audience: 'backend', tag } as const;
  const lookupProblems = ['INVALID_PARAMS', 'TARGET_NOT_FOUND'] as const;
  const changeRoute = {
    ...shared,
    headers: ['If-Match'],
    response: Orchestration,
    problems: [...lookupProblems, 'NAMESPACE_FORBIDDEN', 'PRECONDITION_FAILED', 'CONFLICT'],
  } as const;

  const ifMatchOf = ({ c }: Pick<Call<RouteDescription>, 'c'>) => c.req.header('if-match');

  /** Changes a script or workflow that is not archived, and returns it. */
  const change = (
    call: Pick<Call<RouteDescription>, 'c' | 'param'>,
    work: (row: AutomationRow, transaction: Transaction<Schema>) => Promise<void> | void,
  ): Promise<Orchestration> => {
    const path = readPath(call.param);
    return store.transaction(async (transaction) => {
      const row = await targets.change(transaction, path, ifMatchOf(call), (each) =>
        work(each, transaction),
      );
      return toOrchestration(row, transaction);
    });
  };

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: base,
        summary: `List ${kind}s, newest first`,
        description: 'Without archived ones, unless `include_archived` is true.',
        query: ListQuery,
        queryObjects: ['labels'],
        response: OrchestrationPage,
      },
      async ({ query }) => {
        const page = await targets.list(query);
        return { ...page, data: await toOrchestrations(page.data) };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: base,
        summary: `Create a ${kind}`,
        description: `\`source\`, in ${format}, is the draft: publish it as a version. Scripts and workflows share their names.`,
        body: CreateOrchestrationRequest,
        headers: ['Idempotency-Key'],
        response: Orchestration,
        problems: ['NAMESPACE_FORBIDDEN', 'NAME_TAKEN', 'CONFLICT'],
      },
      async (call) => {
        const { source, ...settings } = call.body;
        const draft = await toDraft(source);
        return writeOnce(services, call, async (transaction) =>
          toOrchestration(await targets.create(transaction, settings, draft), transaction),
        );
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: targetPath,
        summary: `Read a ${kind}`,
        response: Orchestration,
        problems: lookupProblems,
      },
      async ({ param }) => toOrchestration(await targets.find(readPath(param))),
    ),

    route(
      {
        ...changeRoute,
        method: 'post',
        path: targetPath,
        summary: `Change a ${kind}`,
        description:
          'Members that are left out keep their value. `source` replaces the draft; versions never change.',
        body: UpdateOrchestrationRequest,
      },
      async (call) => {
        const { source, description, labels } = call.body;
        const draft = source === undefined ? null : await toDraft(source);
        return change(call, async (row, transaction) => {
          await targets.applySettings(transaction, row, { description, labels });
          if (!draft || draft.digest === row.draft_digest) return;
          row.draft = draft.content;
          row.draft_digest = draft.digest;
          await writeReferences(transaction, row.id, draft.references);
        });
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${targetPath}/draft`,
        summary: `Read the draft of a ${kind}`,
        response: OrchestrationDraft,
        problems: lookupProblems,
      },
      async ({ param }) => {
        const row = await targets.find(readPath(param));
        return { source: sourceOf(row.draft ?? ''), digest: row.draft_digest ?? '' };
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${targetPath}/versions`,
        summary: `List the versions of a ${kind}, newest first`,
        description: 'Without their sources.',
        query: z.looseObject(pageQuery),
        response: OrchestrationVersionPage,
        problems: ['TARGET_NOT_FOUND'],
      },
      async ({ param, query }) => {
        const page = await targets.listRevisions(readPath(param), query, versionSummaryColumns);
        return { ...page, data: page.data.map(toVersionSummary) };
      },
    ),

    route(
      {
        ...changeRoute,
        method: 'post',
        path: `${targetPath}/versions`,
        summary: `Publish the draft of a ${kind} as a version`,
        description:
          'The version must be greater than the latest one. The tag `latest` is set to it.',
        body: PublishVersionRequest,
        headers: ['If-Match', 'Idempotency-Key'],
        response: OrchestrationVersion,
      },
      (call) => {
        const path = readPath(call.param);
        const { version, message } = call.body;
        return writeOnce(services, call, async (transaction) => {
          let published: OrchestrationVersion | undefined;
          await targets.change(transaction, path, ifMatchOf(call), async (row) => {
            const [latest] = await readLatestVersions([row], transaction);
            if (latest?.version && compareVersions(version, latest.version) <= 0) {
              throw new ApiError(
                'CONFLICT',
                `\`version\` must be greater than the latest version, \`${latest.version}\`.`,
              );
            }
            const appended = await targets.append(transaction, row, call.caller, {
              version,
              digest: row.draft_digest ?? '',
              content: row.draft ?? '',
              message,
            });
            row.dist_tags = JSON.stringify({ ...tagsOf(row), latest: version });
            await publishReferences(transaction, row.id);
            published = toVersion(appended);
          });
          if (!published) throw new Error('The change published a version.');
          return published;
        });
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: `${targetPath}/versions/:version`,
        summary: `Read a version of a ${kind}`,
        response: OrchestrationVersion,
        problems: [...lookupProblems, 'NOT_FOUND'],
      },
      async ({ param }) => {
        const { id } = await targets.find(readPath(param));
        const row = await findVersion(id, param('version'));
        if (!row) throw notFound(`The ${kind} has no such version.`);
        return toVersion(row);
      },
    ),

    route(
      {
        ...changeRoute,
        method: 'post',
        path: `${targetPath}/dist_tags/:tag`,
        summary: `Set a tag of a ${kind}`,
        description: '`namespace/name@tag` then means this version.',
        body: SetDistTagRequest,
      },
      (call) => {
        const { tag: name } = validate(TagParameter, { tag: call.param('tag') }, '/path');
        const { version } = call.body;
        return change(call, async (row, transaction) => {
          if (!(await findVersion(row.id, version, transaction))) {
            throw invalidField('/version', `must be a published version of the ${kind}`);
          }
          const tags = { ...tagsOf(row), [name]: version };
          if (Object.keys(tags).length > maximumTags) {
            throw new ApiError(
              'CONFLICT',
              `The ${kind} has ${maximumTags} tags, the maximum. Delete one first.`,
            );
          }
          row.dist_tags = JSON.stringify(tags);
        });
      },
    ),

    route(
      {
        ...changeRoute,
        method: 'delete',
        path: `${targetPath}/dist_tags/:tag`,
        summary: `Delete a tag of a ${kind}`,
        description: 'Every tag except `latest` can be deleted.',
        problems: [...changeRoute.problems, 'NOT_FOUND'],
      },
      (call) => {
        const { tag: name } = validate(TagParameter, { tag: call.param('tag') }, '/path');
        return change(call, (row) => {
          const { [name]: _, ...tags } = tagsOf(row);
          if (!Object.hasOwn(tagsOf(row), name)) throw notFound(`The ${kind} has no such tag.`);
          if (name === 'latest') {
            throw new ApiError('CONFLICT', 'The tag `latest` cannot be deleted, only set.');
          }
          row.dist_tags = JSON.stringify(tags);
        });
      },
    ),

    ...(['archive', 'restore'] as const).map((verb) =>
      route(
        {
          ...changeRoute,
          method: 'post',
          path: `${targetPath}/${verb}`,
          ...(verb === 'archive'
            ? {
                summary: `Archive a ${kind}`,
                description:
                  'It is no longer listed by default, and cannot be changed. Its name stays reserved.',
              }
            : {
                summary: `Restore an archived ${kind}`,
                description: 'It keeps its draft, versions and tags.',
              }),
          body: EmptyRequest,
          problems: [...lookupProblems, 'NAMESPACE_FORBIDDEN', 'PRECONDITION_FAILED'],
        },
        async (call) => {
          const path = readPath(call.param);
          const isArchived = verb === 'archive';
          return toOrchestration(await targets.setArchived(path, ifMatchOf(call), isArchived));
        },
      ),
    ),
  ];

  async function toDraft(source: string): Promise<Draft> {
    requireSize(source, config.limits.request.automation_bytes, {
      pointer: '/source',
      name: '`source`',
    });
    return {
      // Stored as JSON, because PostgreSQL rejects U+0000 in text.
      content: JSON.stringify({ source }),
      digest: digestOf(source),
      references: await findReferences(source),
    };
  }

  function findVersion(
    id: string,
    version: string,
    db = store.db,
  ): Promise<RevisionRow | undefined> {
    return db
      .selectFrom('automation_revisions')
      .selectAll()
      .where('automation_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
  }

  /** Reads the latest versions without their content. */
  async function readLatestVersions(rows: readonly ListedRow[], db = store.db) {
    const ids = rows.flatMap(({ latest_id: id }) => id ?? []);
    if (ids.length === 0) return [];
    return db
      .selectFrom('automation_revisions')
      .select(['id', 'version', 'digest', 'created_at'])
      .where('id', 'in', ids)
      .execute();
  }

  async function toOrchestration(row: ListedRow, db = store.db): Promise<Orchestration> {
    const [orchestration] = await toOrchestrations([row], db);
    if (!orchestration) throw new Error(`There is one ${kind} for each row.`);
    return orchestration;
  }

  async function toOrchestrations(
    rows: readonly ListedRow[],
    db = store.db,
  ): Promise<Orchestration[]> {
    const versions = new Map((await readLatestVersions(rows, db)).map((each) => [each.id, each]));
    return rows.map((row) => {
      const latest = versions.get(row.latest_id ?? '');
      return {
        ...toResource(row, config.tenant),
        kind,
        latest_version: latest
          ? { version: latest.version ?? '', published_at: isoTime(Number(latest.created_at)) }
          : null,
        dist_tags: tagsOf(row),
        draft_digest: row.draft_digest ?? '',
        draft_changed: row.draft_digest !== latest?.digest,
        // Runs are not part of the published interface.
        latest_run: null,
        stats_7d: { runs: 0, failures: 0 },
      };
    });
  }
}

const tagsOf = (row: ListedRow) => JSON.parse(row.dist_tags) as Record<string, string>;

/** Parses the content that `toDraft` serializes. */
const sourceOf = (content: string) => (JSON.parse(content) as { source: string }).source;

const versionSummaryColumns = ['version', 'digest', 'created_by', 'message', 'created_at'] as const;

function toVersionSummary(row: Pick<RevisionRow, (typeof versionSummaryColumns)[number]>) {
  return {
    version: row.version ?? '',
    digest: row.digest,
    created_by: JSON.parse(row.created_by) as OrchestrationVersion['created_by'],
    message: row.message,
    published_at: isoTime(Number(row.created_at)),
  };
}

function toVersion(row: RevisionRow): OrchestrationVersion {
  return { ...toVersionSummary(row), source: sourceOf(row.content) };
}

/** Copies the references of the draft to the latest version. */
async function publishReferences(transaction: Transaction<Schema>, id: string): Promise<void> {
  const table = 'automation_references';
  await transaction
    .deleteFrom(table)
    .where('automation_id', '=', id)
    .where('part', '=', 'latest')
    .execute();
  await transaction
    .insertInto(table)
    .columns(['automation_id', 'part', 'action'])
    .expression(({ selectFrom, val }) =>
      selectFrom(table)
        .select(['automation_id', val('latest').as('part'), 'action'])
        .where('automation_id', '=', id)
        .where('part', '=', 'draft'),
    )
    .execute();
}
