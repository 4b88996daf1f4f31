import type { TestProject } from 'vitest/node';
import { createLogger } from '../../log/logger.ts';
import { createPostgresStore } from '../../store/postgres-store.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a template database, if the run uses PostgreSQL. */
    postgres?: string;
  }
}

let postgres: TestPostgres | undefined;

/** Starts PostgreSQL with a template database, before the tests of a project. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres();
  // Opening a store creates the tables of the template.
  const log = createLogger(Date.now, () => {});
  await (await createPostgresStore({ url: postgres.url, log })).close();
  project.provide('postgres', postgres.url);
}

/** Stops PostgreSQL after the tests. */
export async function teardown(): Promise<void> {
  await postgres?.stop();
}
