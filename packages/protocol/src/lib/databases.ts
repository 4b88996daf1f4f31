import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** Types that a field of a table can have. */
export const fieldTypes = ['text', 'number', 'boolean', 'timestamp', 'json'] as const;

/** A field of a table. */
export const DatabaseField = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
});
export type DatabaseField = z.infer<typeof DatabaseField>;

/** A table with its fields, in the order in which they were added. */
export const DatabaseTable = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  fields: z.array(DatabaseField),
});
export type DatabaseTable = z.infer<typeof DatabaseTable>;

/**
 * Status of a database or media library. While it is `deleting`, it can be restored until
 * `deletes_at`. Once it is `deleted`, its event log can still be read.
 */
export const RegistryStatus = z.enum(['active', 'deleting', 'deleted']);
export type RegistryStatus = z.infer<typeof RegistryStatus>;

/** Members that databases and media libraries share. Times are ISO 8601. */
export const registryFields = {
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  status: RegistryStatus,
  /** Time of the deletion; null unless the status is `deleting`. */
  deletes_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
};

/** A registered database with its schema. */
export const DatabaseResource = z.looseObject({
  ...registryFields,
  tables: z.array(DatabaseTable),
});
export type DatabaseResource = z.infer<typeof DatabaseResource>;

export const DatabasePage = pageOf(DatabaseResource);
