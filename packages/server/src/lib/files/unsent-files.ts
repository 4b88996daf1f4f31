import { type SqlBool, sql } from 'kysely';

/** SQL condition of files that no message contains. */
export const isUnsent = sql<SqlBool>`not exists (
  select 1 from session_files where session_files.file_id = files.id
)`;
