import type { Kysely, Migration } from 'kysely';

/** The model of the catalogue that a video is billed to. */
export const videoModels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('chat_model_videos').addColumn('model', 'text').execute();
  },
};
