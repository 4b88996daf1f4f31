import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** Statuses of a run (docs/conformance.md, 3.4). */
export const RunStatus = z.enum([
  'pending',
  'running',
  'waiting',
  'suspended',
  'cancelled',
  'faulted',
  'completed',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** States of a wait (docs/conformance.md, 3.5). */
export const WaitState = z.enum(['open', 'resolved', 'expired', 'cancelled']);
export type WaitState = z.infer<typeof WaitState>;

/**
 * An event, a time or another run that a run waits for (docs/conformance.md, 2.4). Times are
 * RFC 3339.
 */
export const RunWait = z.looseObject({
  id: z.string(),
  run_id: z.string(),
  kind: z.enum(['event', 'timer', 'child']),
  state: WaitState,
  /**
   * The step of the workflow that waits: `reference` is its JSON Pointer, `name` its key in the YAML.
   */
  task: z.nullable(z.looseObject({ reference: z.string(), name: z.string() })),
  /** Null unless `kind` is `timer`. */
  resume_at: z.nullable(z.string()),
  /** Null unless `kind` is `event`. */
  event_type: z.nullable(z.string()),
  /** Null unless `kind` is `child`. */
  child_run_id: z.nullable(z.string()),
  created_at: z.string(),
  /** Null for no deadline. */
  expires_at: z.nullable(z.string()),
  resolved_at: z.nullable(z.string()),
});
export type RunWait = z.infer<typeof RunWait>;

/** Summary of a run of a script or workflow (docs/conformance.md, 2.4). */
export const RunSummary = z.looseObject({
  id: z.string(),
  /** Number of the run within its script or workflow. */
  number: z.nullable(z.int()),
  status: RunStatus,
  created_at: z.string(),
  current_wait: z.nullable(RunWait),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** The creator of a revision or version. `id` is unique for its `type`, and has no documented format. */
export const AutomationCreator = z.looseObject({
  type: z.enum(['user', 'api_key', 'agent', 'run', 'trigger']),
  id: z.string(),
});
export type AutomationCreator = z.infer<typeof AutomationCreator>;

/** Members that actions, scripts and workflows share. Times are RFC 3339. */
const automationFields = {
  id: z.string(),
  namespace: z.string(),
  name: z.string(),
  description: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Id of the tenant. */
  owner: z.string(),
  /** Null if not archived. */
  archived_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
};

const schemaObject = z.record(z.string(), z.unknown());

/** Error types of the Serverless Workflow specification, version 1.0. */
const standardErrorTypes: ReadonlySet<string> = new Set([
  'configuration',
  'validation',
  'expression',
  'authentication',
  'authorization',
  'timeout',
  'communication',
  'runtime',
]);

/** An error that an action declares. */
export const ActionError = z.strictObject({
  /** A stable URI, or a standard type such as `validation`, `timeout`, `communication`, `runtime`. */
  type: z.string(),
  /** A stable code for programs. */
  code: z.optional(z.string()),
  description: z.string(),
});
export type ActionError = z.infer<typeof ActionError>;

/** How an action is implemented. Only `code` can be created. */
export const ActionImplementation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('code'),
    language: z.literal('ts'),
    /** Full TypeScript source. */
    source: z.string(),
  }),
  z.strictObject({
    kind: z.literal('container'),
    image: z.string(),
    command: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('shell'), script: z.string() }),
]);
export type ActionImplementation = z.infer<typeof ActionImplementation>;

/** An immutable revision of an action (docs/conformance.md, 2.3). */
export const ActionRevision = z.strictObject({
  id: z.string(),
  /** Digest of the contract and the implementation. */
  digest: z.string(),
  input_schema: schemaObject,
  output_schema: schemaObject,
  errors: z.array(ActionError),
  annotations: z.strictObject({ read_only: z.boolean(), idempotent: z.boolean() }),
  /** Timeout of one execution, in milliseconds. */
  timeout_ms: z.int(),
  implementation: ActionImplementation,
  host: z.enum(['builtin', 'isolate', 'sandbox']),
  /** Platform APIs that the code names, such as `/model/v1`. */
  platform_apis: z.array(z.string()),
  created_by: AutomationCreator,
  /** Note about this revision. */
  message: z.nullable(z.string()),
  created_at: z.string(),
});
export type ActionRevision = z.infer<typeof ActionRevision>;

export const ActionRevisionPage = pageOf(ActionRevision);

/** A single executable unit with a contract (docs/conformance.md, 2.3). */
export const Action = z.looseObject({
  ...automationFields,
  builtin: z.boolean(),
  current_revision: ActionRevision,
  stats_7d: z.looseObject({
    calls: z.int(),
    failures: z.int(),
    p50_ms: z.nullable(z.number()),
  }),
  /** Numbers of scripts and workflows whose latest version or draft names this action. */
  dependents: z.looseObject({ scripts: z.int(), workflows: z.int() }),
});
export type Action = z.infer<typeof Action>;

export const ActionPage = pageOf(Action);

/** Scripts and workflows, together called orchestrations. */
export const OrchestrationKind = z.enum(['script', 'workflow']);
export type OrchestrationKind = z.infer<typeof OrchestrationKind>;

/** A script or a workflow (docs/conformance.md, 2.4). */
export const Orchestration = z.looseObject({
  ...automationFields,
  kind: OrchestrationKind,
  /** Null before the first version. */
  latest_version: z.nullable(z.looseObject({ version: z.string(), published_at: z.string() })),
  /** Versions by tag. */
  dist_tags: z.record(z.string(), z.string()),
  /** Digest of the draft's source. `If-Match` compares it. */
  draft_digest: z.string(),
  /** Whether the draft differs from the latest version. */
  draft_changed: z.boolean(),
  latest_run: z.nullable(RunSummary),
  stats_7d: z.strictObject({ runs: z.int(), failures: z.int() }),
});
export type Orchestration = z.infer<typeof Orchestration>;

export const OrchestrationPage = pageOf(Orchestration);

/** The draft of a script or workflow: the source that the next version will have. */
export const OrchestrationDraft = z.looseObject({
  /** TypeScript of a script, YAML of a workflow. */
  source: z.string(),
  /** Digest of the source. */
  digest: z.string(),
});
export type OrchestrationDraft = z.infer<typeof OrchestrationDraft>;

const versionFields = {
  /** Semantic version (semver.org). */
  version: z.string(),
  /** Digest of the source. */
  digest: z.string(),
  created_by: AutomationCreator,
  /** Note about this version. */
  message: z.nullable(z.string()),
  published_at: z.string(),
};

/** A version in a list. */
export const OrchestrationVersionSummary = z.looseObject(versionFields);
export type OrchestrationVersionSummary = z.infer<typeof OrchestrationVersionSummary>;

export const OrchestrationVersionPage = pageOf(OrchestrationVersionSummary);

/** An immutable version of a script or workflow. */
export const OrchestrationVersion = z.looseObject({ ...versionFields, source: z.string() });
export type OrchestrationVersion = z.infer<typeof OrchestrationVersion>;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * A namespace, or the name of an item in a namespace (docs/conformance.md, 4.9 and 8.4). Stored
 * in lower case.
 */
export const AutomationName = z
  .string()
  .check(
    z.regex(
      namePattern,
      'must have 1 to 64 letters, digits, `.`, `_` or `-`, and start with a letter or digit',
    ),
    z.toLowerCase(),
  );

const Description = z.string().check(z.maxLength(1000, 'must have at most 1000 characters'));

/** Up to 64 labels. */
const Labels = z.record(z.string(), z.string()).check(
  z.refine((labels) => Object.keys(labels).length <= 64, 'must have at most 64 labels'),
  z.refine(
    (labels) => Object.keys(labels).every((key) => key.length >= 1 && key.length <= 128),
    'keys must have 1 to 128 characters',
  ),
  z.refine(
    (labels) => Object.keys(labels).every((key) => !key.startsWith('praxis.')),
    'keys must not start with `praxis.`, which the platform reserves',
  ),
  z.refine(
    (labels) => Object.values(labels).every((value) => value.length <= 512),
    'values must have at most 512 characters',
  ),
);

const Message = z.nullable(
  z.string().check(z.maxLength(1000, 'must have at most 1000 characters')),
);

const nonEmptyString = (maximum: number) =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(maximum, `must have at most ${maximum} characters`),
    );

const Source = z.string().check(z.minLength(1, 'must not be empty'));

const identityFields = { namespace: AutomationName, name: AutomationName };

const settingsFields = { description: Description, labels: Labels };

/**
 * A standard type of the Serverless Workflow specification, or a URI. A relative reference is not stable:
 * it means something else below another base.
 */
const ErrorType = nonEmptyString(2000).check(
  z.refine(
    (type) =>
      standardErrorTypes.has(type) ||
      /^[a-z][a-z0-9+.-]*:[\w!#$%&'()*+,./:;=?@[\]~-]+$/i.test(type),
    `must be a URI, or one of ${[...standardErrorTypes].join(', ')}`,
  ),
);

const contractFields = {
  input_schema: schemaObject,
  output_schema: schemaObject,
  errors: z
    .array(
      z.strictObject({
        type: ErrorType,
        code: z.optional(nonEmptyString(200)),
        description: nonEmptyString(1000),
      }),
    )
    .check(z.maxLength(100, 'must hold at most 100 errors')),
  annotations: z.strictObject({
    read_only: z.optional(z.boolean()),
    idempotent: z.optional(z.boolean()),
  }),
  timeout_ms: z
    .int()
    .check(
      z.minimum(1, 'must be at least 1'),
      z.maximum(86_400_000, 'must be at most 86400000, a day'),
    ),
  implementation: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('code'),
      language: z._default(z.literal('ts'), 'ts'),
      source: Source,
    }),
    z.strictObject({
      kind: z.literal('container'),
      image: z.string(),
      command: z._default(z.array(z.string()), []),
    }),
    z.strictObject({ kind: z.literal('shell'), script: z.string() }),
  ]),
};

/** Body that creates an action. */
export const CreateActionRequest = z.strictObject({
  ...identityFields,
  description: z._default(settingsFields.description, ''),
  labels: z._default(settingsFields.labels, {}),
  input_schema: z._default(contractFields.input_schema, {}),
  output_schema: z._default(contractFields.output_schema, {}),
  errors: z._default(contractFields.errors, []),
  /** Omitted members are false. */
  annotations: z._default(contractFields.annotations, {}),
  /**
   * Milliseconds, from 1 to a day.
   *
   * @default 30_000
   */
  timeout_ms: z.optional(contractFields.timeout_ms),
  implementation: contractFields.implementation,
  /** Note about the first revision. */
  message: z._default(Message, null),
});
export type CreateActionRequest = z.input<typeof CreateActionRequest>;

/** Body that changes an action. Omitted members keep their values. */
export const UpdateActionRequest = z.partial(
  z.strictObject({
    ...settingsFields,
    ...contractFields,
    /** Note about the new revision. */
    message: Message,
  }),
);
export type UpdateActionRequest = z.input<typeof UpdateActionRequest>;

/** Body that creates a script or workflow with its draft. */
export const CreateOrchestrationRequest = z.strictObject({
  ...identityFields,
  description: z._default(settingsFields.description, ''),
  labels: z._default(settingsFields.labels, {}),
  /** TypeScript of a script, YAML of a workflow. */
  source: Source,
});
export type CreateOrchestrationRequest = z.input<typeof CreateOrchestrationRequest>;

/** Body that changes a script or workflow. Omitted members keep their values. */
export const UpdateOrchestrationRequest = z.partial(
  z.strictObject({
    ...settingsFields,
    /** Replaces the draft. */
    source: Source,
  }),
);
export type UpdateOrchestrationRequest = z.input<typeof UpdateOrchestrationRequest>;

/** A semantic version, checked with the regular expression of semver.org. */
export const SemanticVersion = z
  .string()
  .check(
    z.maxLength(128, 'must have at most 128 characters'),
    z.regex(
      /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/,
      'must be a semantic version such as `1.2.0`',
    ),
  );

/** Body that publishes the draft of a script or workflow as a version. */
export const PublishVersionRequest = z.strictObject({
  /** Greater than the latest version. */
  version: SemanticVersion,
  /** Note about the version. */
  message: z._default(Message, null),
});
export type PublishVersionRequest = z.input<typeof PublishVersionRequest>;

/** Body that sets a tag to a version. */
export const SetDistTagRequest = z.strictObject({ version: SemanticVersion });
export type SetDistTagRequest = z.input<typeof SetDistTagRequest>;
