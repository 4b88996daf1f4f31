import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Stored objects of the chat-model family belong to the tenant, no longer to the API key that created
 * them. The column `api_keys.owner` stays for processes of the previous version, which still read it.
 */
export const tenantObjects: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['conversations', 'responses', 'files', 'videos']) {
      await sql`
        update ${sql.table(`chat_model_${table}`)} set owner = 'environment'
        where owner <> 'environment'`.execute(db);
    }
  },
};
