import * as z from 'zod/mini';

/** Types of the events of a database (docs/conformance.md, 6.1). */
export const databaseEventTypes = [
  'database.status_provisioning',
  'database.status_active',
  'database.status_deleting',
  'database.status_deleted',
  'database.status_failed',
  'database.restored',
  'table.created',
  'table.updated',
  'table.deleted',
  'field.added',
  'field.updated',
  'field.deleted',
] as const;
export type DatabaseEventType = (typeof databaseEventTypes)[number];

/**
 * Types of the events of a media library that the platform writes. The rules
 * have no complete list (docs/conformance.md, 6.2), so clients must accept other types.
 */
export const mediaEventTypes = [
  'library.status_provisioning',
  'library.status_active',
  'library.status_deleting',
  'library.status_deleted',
  'library.restored',
  'asset.created',
  'asset.updated',
  'asset.deleted',
] as const;
export type MediaEventType = (typeof mediaEventTypes)[number];

const eventFields = {
  /** Position in the log: 1 for the first event. */
  seq: z.int(),
  id: z.string(),
  /** ISO 8601 in UTC. */
  processed_at: z.string(),
};

/** A change of a database or of its schema (docs/conformance.md, 2.5). */
export const DatabaseEvent = z.looseObject({
  ...eventFields,
  type: z.enum(databaseEventTypes),
  database_id: z.string(),
  /** Only in events of tables and fields. */
  table_id: z.optional(z.string()),
  /** Only in events of fields. */
  field_id: z.optional(z.string()),
});
export type DatabaseEvent = z.infer<typeof DatabaseEvent>;

/** A change of a media library or of its assets (docs/conformance.md, 2.6). */
export const MediaEvent = z.looseObject({
  ...eventFields,
  type: z.string(),
  library_id: z.string(),
  asset_id: z.optional(z.string()),
  job_id: z.optional(z.string()),
  kind: z.optional(z.enum(['visual', 'frames', 'transcript', 'embedding'])),
  /** Details, which depend on the type. In `asset.updated`, the changed members with their new values. */
  detail: z.optional(z.record(z.string(), z.unknown())),
});
export type MediaEvent = z.infer<typeof MediaEvent>;

/**
 * Creates the schema of a page of an event log. `next_cursor` is the `seq` of the last event, to be
 * sent as `after_seq` in ascending order and as `before_seq` in descending order; null on the last
 * page.
 */
const logPageOf = <Event extends z.core.$ZodType>(event: Event) =>
  z.looseObject({ data: z.array(event), next_cursor: z.nullable(z.string()) });

export const DatabaseEventPage = logPageOf(DatabaseEvent);
export const MediaEventPage = logPageOf(MediaEvent);
