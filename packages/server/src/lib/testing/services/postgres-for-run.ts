import type { TestProject } from 'vitest/node';
import { createLogger } from '../../log/logger.ts';
import { createPostgresStore } from '../../store/postgres-store.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database to be copied for each test, of the PostgreSQL that a run shares, if it is on that. */
    postgres?: string;
  }
}

let postgres: TestPostgres | undefined;

/** Before the first test of a project that runs on PostgreSQL. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres();
  // With its tables, so that a copy of it has them as well.
  const log = createLogger(Date.now, () => {});
  await (await createPostgresStore({ url: postgres.url, log })).close();
  project.provide('postgres', postgres.url);
}

/** After its last test. */
export async function teardown(): Promise<void> {
  await postgres?.stop();
}
