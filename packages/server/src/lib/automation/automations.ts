import { AutomationName, idPrefix } from '@inlay/protocol';
import { canonicalJson } from '@inlay/protocol/input-hash';
import type { Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { describeChange } from '../audit/audit.ts';
import type { BackendCaller } from '../auth/caller.ts';
import { isoTime } from '../clock.ts';
import { decodeCursor, isAfter, pageQuery, toPage } from '../http/paging.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import type { Services } from '../services.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import type { AutomationRevisionsTable, AutomationsTable, Schema } from '../store/schema.ts';

export type AutomationRow = Selectable<AutomationsTable>;
/** An action, a script or a workflow without the source of its draft, which can be large. */
export type ListedRow = Omit<AutomationRow, 'draft'>;
export type RevisionRow = Selectable<AutomationRevisionsTable>;
type Kind = AutomationRow['kind'];
type Db = Kysely<Schema>;

/** The namespace that is reserved for actions of the platform. Callers can only read it. */
const readOnlyNamespace = 'praxis';

const nouns: Record<Kind, string> = {
  action: 'an action',
  script: 'a script',
  workflow: 'a workflow',
};

/**
 * Namespace and name of an action, a script or a workflow. The pair is unique among actions, and
 * among scripts and workflows together.
 */
export interface Path {
  namespace: string;
  name: string;
}

const listedColumns = [
  'id',
  'kind',
  'scope',
  'namespace',
  'name',
  'description',
  'labels',
  'draft_digest',
  'dist_tags',
  'latest_id',
  'archived_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ListedRow)[];

const PathParameters = z.strictObject({ ns: AutomationName, name: AutomationName });

/**
 * Reads namespace and name from the parameters of a route.
 *
 * @throws ApiError `VALIDATION_ERROR`
 */
export function readPath(param: (name: string) => string): Path {
  const { ns, name } = validate(PathParameters, { ns: param('ns'), name: param('name') }, '/path');
  return { namespace: ns, name };
}

/** Query of the routes that list actions, scripts or workflows. */
export const ListQuery = z.looseObject({
  namespace: z.optional(AutomationName).describe('Only those of this namespace.'),
  include_archived: z.enum(['true', 'false']).default('false'),
  labels: z
    .record(z.string(), z.string('must be given once'), 'must be given as `labels[key]=value`')
    .refine((labels) => Object.keys(labels).length <= 16, 'must have at most 16 labels')
    .default({})
    .describe('Only those that have all of these labels.'),
  ...pageQuery,
});

/** Body of requests without members. */
export const EmptyRequest = z.strictObject({}).meta({ id: 'EmptyRequest' });

export interface Settings {
  description: string;
  labels: Record<string, string>;
}

/** A draft of a script or workflow. */
export interface Draft {
  content: string;
  digest: string;
  /** Names of the actions that the draft refers to. */
  references: readonly string[];
}

export interface NewRevision {
  /** Semantic version; null for a revision of an action. */
  version: string | null;
  digest: string;
  content: string;
  message: string | null;
}

/**
 * The actions, the scripts or the workflows: their names, settings, archive state and revisions
 * (docs/conformance.md, 2.3, 2.4 and 3.3). Methods with the parameter `transaction` write
 * within that transaction.
 */
export class Automations {
  readonly #services: Pick<Services, 'store' | 'clock' | 'random'>;
  readonly #kind: Kind;
  readonly #scope: AutomationRow['scope'];

  constructor(services: Pick<Services, 'store' | 'clock' | 'random'>, kind: Kind) {
    this.#services = services;
    this.#kind = kind;
    this.#scope = kind === 'action' ? 'action' : 'orchestration';
  }

  /** Lists the actions, scripts or workflows, newest first. */
  async list(query: z.output<typeof ListQuery>) {
    let rows = this.#services.store.db
      .selectFrom('automations')
      .select(listedColumns)
      .where('kind', '=', this.#kind)
      .where(isAfter('created_at', decodeCursor(this.#kind, query.page)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit + 1);
    if (query.namespace !== undefined) rows = rows.where('namespace', '=', query.namespace);
    if (query.include_archived === 'false') rows = rows.where('archived_at', 'is', null);
    for (const [key, value] of Object.entries(query.labels)) {
      rows = rows.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('automation_labels')
            .select('automation_id')
            .whereRef('automation_id', '=', 'automations.id')
            .where('key', '=', key)
            .where('value', '=', value),
        ),
      );
    }
    return toPage(
      this.#kind,
      await rows.execute(),
      query.limit,
      ({ created_at }) => Number(created_at),
      (row) => row,
    );
  }

  /**
   * Finds an action, a script or a workflow by its path.
   *
   * @throws ApiError `ACTION_NOT_FOUND` or `TARGET_NOT_FOUND`. If another kind has this name, the
   *   message contains the URL path of that kind (docs/conformance.md, 4.9).
   */
  async find(path: Path, db: Db = this.#services.store.db): Promise<AutomationRow> {
    const { namespace, name } = path;
    const rows = await db
      .selectFrom('automations')
      .selectAll()
      .where('scope', 'in', ['action', 'orchestration'])
      .where('namespace', '=', namespace)
      .where('name', '=', name)
      .execute();
    const row = rows.find(({ kind }) => kind === this.#kind);
    if (row) return row;
    const others = rows.map(
      ({ kind }) =>
        ` There is ${nouns[kind]} of this name: use \`/automation/v1/${kind}s/${namespace}/${name}\`.`,
    );
    throw new ApiError(
      this.#kind === 'action' ? 'ACTION_NOT_FOUND' : 'TARGET_NOT_FOUND',
      `There is no ${this.#kind} \`${namespace}/${name}\`.${others.join('')}`,
    );
  }

  /**
   * Creates an action, a script or a workflow.
   *
   * @throws ApiError `NAMESPACE_FORBIDDEN` or `NAME_TAKEN`
   */
  async create(
    transaction: Transaction<Schema>,
    { namespace, name, description, labels }: Path & Settings,
    draft: Draft | null,
  ): Promise<AutomationRow> {
    const { clock, random } = this.#services;
    await this.#lock(transaction, { namespace, name });
    const existing = await transaction
      .selectFrom('automations')
      .select(['kind', 'archived_at'])
      .where('scope', '=', this.#scope)
      .where('namespace', '=', namespace)
      .where('name', '=', name)
      .executeTakeFirst();
    if (existing) {
      const remedy = existing.archived_at === null ? '' : ', or restore the archived one';
      throw new ApiError(
        'NAME_TAKEN',
        `\`${namespace}/${name}\` is the name of ${nouns[existing.kind]}. Choose another \`name\`${remedy}.`,
      );
    }
    const now = clock.now();
    const row: AutomationRow = {
      id: newIdAt(random, now, idPrefix[this.#kind]),
      kind: this.#kind,
      scope: this.#scope,
      namespace,
      name,
      description,
      labels: canonicalJson(labels),
      draft: draft?.content ?? null,
      draft_digest: draft?.digest ?? null,
      dist_tags: '{}',
      latest_id: null,
      archived_at: null,
      created_at: now,
      updated_at: now,
    };
    describeChange({ subject: `${this.#kind}s/${namespace}/${name}` });
    await transaction.insertInto('automations').values(row).execute();
    await writeLabels(transaction, row);
    if (draft) await writeReferences(transaction, row.id, draft.references);
    return row;
  }

  /**
   * Changes an action, a script or a workflow that is not archived. `updated_at` is set only if the row
   * has changed.
   *
   * @param ifMatch The header `If-Match`: the expected digest of the draft; undefined for any draft.
   * @param work Called with the row, to change it.
   * @throws ApiError `NAMESPACE_FORBIDDEN`, `PRECONDITION_FAILED`, `CONFLICT`, or the error of `find`.
   */
  change(
    transaction: Transaction<Schema>,
    path: Path,
    ifMatch: string | undefined,
    work: (row: AutomationRow) => Promise<void> | void,
  ): Promise<AutomationRow> {
    return this.#write(transaction, path, ifMatch, (row) => {
      if (row.archived_at === null) return work(row);
      throw new ApiError('CONFLICT', `This ${this.#kind} is archived. Restore it first.`);
    });
  }

  /** Archives or restores an action, a script or a workflow. Repetitions have no effect. */
  setArchived(
    path: Path,
    ifMatch: string | undefined,
    isArchived: boolean,
  ): Promise<AutomationRow> {
    const { store, clock } = this.#services;
    return store.transaction((transaction) =>
      this.#write(transaction, path, ifMatch, (row) => {
        if (!isArchived) row.archived_at = null;
        else row.archived_at ??= clock.now();
      }),
    );
  }

  /** Changes description and labels. Members that are left out keep their value. */
  async applySettings(
    transaction: Transaction<Schema>,
    row: AutomationRow,
    { description, labels }: { [Name in keyof Settings]?: Settings[Name] | undefined },
  ): Promise<void> {
    row.description = description ?? row.description;
    const json = labels ? canonicalJson(labels) : row.labels;
    if (json === row.labels) return;
    row.labels = json;
    await transaction.deleteFrom('automation_labels').where('automation_id', '=', row.id).execute();
    await writeLabels(transaction, row);
  }

  /** Appends a revision, which becomes the latest. */
  async append(
    transaction: Transaction<Schema>,
    row: AutomationRow,
    { keyId }: BackendCaller,
    revision: NewRevision,
  ): Promise<RevisionRow> {
    const { clock, random } = this.#services;
    const { last } = await transaction
      .selectFrom('automation_revisions')
      .select(({ fn }) => fn.max('number').as('last'))
      .where('automation_id', '=', row.id)
      .executeTakeFirstOrThrow();
    const now = clock.now();
    const appended: RevisionRow = {
      id: newIdAt(random, now, this.#kind === 'action' ? idPrefix.actionRevision : 'ver_'),
      automation_id: row.id,
      number: Number(last ?? 0) + 1,
      ...revision,
      created_by: JSON.stringify({ type: 'api_key', id: keyId }),
      created_at: now,
    };
    await transaction.insertInto('automation_revisions').values(appended).execute();
    row.latest_id = appended.id;
    await transaction
      .updateTable('automations')
      .set({ latest_id: appended.id })
      .where('id', '=', row.id)
      .execute();
    return appended;
  }

  /**
   * Lists the revisions of one action, script or workflow, newest first.
   *
   * @param columns Columns to read besides `id` and `number`.
   */
  async listRevisions<Column extends keyof RevisionRow>(
    path: Path,
    query: { limit: number; page?: string | undefined },
    columns: readonly Column[],
  ) {
    const { id } = await this.find(path);
    const position = decodeCursor(id, query.page);
    const rows = await this.#services.store.db
      .selectFrom('automation_revisions')
      .select(['id', 'number', ...columns])
      // Kysely cannot infer the type of generic columns.
      .$castTo<Pick<RevisionRow, 'id' | 'number' | Column>>()
      .where('automation_id', '=', id)
      .where(isAfter('number', position && { ...position, at: clampToInteger(position.at) }))
      .orderBy('number', 'desc')
      .limit(query.limit + 1)
      .execute();
    return toPage(
      id,
      rows,
      query.limit,
      ({ number }) => number,
      (row) => row,
    );
  }

  async #write(
    transaction: Transaction<Schema>,
    path: Path,
    ifMatch: string | undefined,
    work: (row: AutomationRow) => Promise<void> | void,
  ): Promise<AutomationRow> {
    await this.#lock(transaction, path);
    const row = await this.find(path, transaction);
    requireMatch(row, ifMatch);
    const before = { ...row };
    await work(row);
    if (canonicalJson(before) === canonicalJson(row)) return row;
    row.updated_at = this.#services.clock.now();
    const { id, ...columns } = row;
    await transaction.updateTable('automations').set(columns).where('id', '=', id).execute();
    return row;
  }

  async #lock(transaction: Transaction<Schema>, { namespace, name }: Path): Promise<void> {
    if (namespace === readOnlyNamespace) {
      throw new ApiError(
        'NAMESPACE_FORBIDDEN',
        `The namespace \`${readOnlyNamespace}\` belongs to the platform, and is read-only. Use another namespace.`,
      );
    }
    const { store } = this.#services;
    await store.lock(transaction, `automation:${this.#scope}:${namespace}/${name}`);
  }
}

/** Converts a row to the members that the resources of actions, scripts and workflows share. */
export function toResource(row: ListedRow, owner: string) {
  return {
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    description: row.description,
    labels: JSON.parse(row.labels) as Record<string, string>,
    owner,
    archived_at: row.archived_at === null ? null : isoTime(Number(row.archived_at)),
    created_at: isoTime(Number(row.created_at)),
    updated_at: isoTime(Number(row.updated_at)),
  };
}

/**
 * Replaces the stored references from a draft to actions.
 *
 * @param references Distinct names of the form `namespace/name`.
 */
export async function writeReferences(
  transaction: Transaction<Schema>,
  id: string,
  references: readonly string[],
): Promise<void> {
  const table = 'automation_references';
  await transaction
    .deleteFrom(table)
    .where('automation_id', '=', id)
    .where('part', '=', 'draft')
    .execute();
  if (references.length === 0) return;
  const rows = references.map((action) => ({ automation_id: id, part: 'draft' as const, action }));
  await transaction.insertInto(table).values(rows).execute();
}

async function writeLabels(
  transaction: Transaction<Schema>,
  { id, labels }: AutomationRow,
): Promise<void> {
  const rows = Object.entries(JSON.parse(labels) as Record<string, string>).map(([key, value]) => ({
    automation_id: id,
    key,
    value,
  }));
  if (rows.length > 0) await transaction.insertInto('automation_labels').values(rows).execute();
}

/**
 * Compares the digest of the draft with `If-Match` (RFC 9110, section 13.1.1). Weak entity tags never
 * match. A digest without quotes is accepted, too.
 *
 * @throws ApiError `PRECONDITION_FAILED`
 */
function requireMatch({ draft_digest: digest }: AutomationRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => tag === '*' || tag === `"${digest}"` || tag === digest)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `The draft has another digest than \`If-Match\`: \`"${digest}"\`. Read it again before you change it.`,
  );
}
