import { type SqlBool, sql } from 'kysely';

/**
 * SQL condition of the sessions and files that users have deleted, and whose rows are about to be removed.
 * No end user has an empty id. A literal, because the databases do not use a partial index for a
 * parameter.
 */
export const isDeleted = sql<SqlBool>`external_user_id = ''`;
