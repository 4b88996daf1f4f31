import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';
import { baseline } from './migrations/0001-baseline.ts';
import { listDetails } from './migrations/0002-list-details.ts';
import { tokenScope } from './migrations/0003-token-scope.ts';
import { tokenMetadata } from './migrations/0004-token-metadata.ts';
import { extractedText } from './migrations/0005-extracted-text.ts';
import { backendLists } from './migrations/0006-backend-lists.ts';
import { operators } from './migrations/0007-operators.ts';
import { webhooks } from './migrations/0008-webhooks.ts';
import { usage } from './migrations/0009-usage.ts';
import { auditAndErasures } from './migrations/0010-audit-and-erasures.ts';
import { searchOfAllTexts } from './migrations/0011-search-of-all-texts.ts';
import { consents } from './migrations/0012-consents.ts';
import { refusedOrigins } from './migrations/0013-refused-origins.ts';
import { operatorSubjects } from './migrations/0014-operator-subjects.ts';
import type { Schema } from './schema.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/** All migrations, ordered by name. New migrations are appended; existing ones never change. */
export const migrations: Migrations = {
  '0001-baseline': baseline,
  '0002-list-details': listDetails,
  '0003-token-scope': tokenScope,
  '0004-token-metadata': tokenMetadata,
  '0005-extracted-text': extractedText,
  '0006-backend-lists': backendLists,
  '0007-operators': operators,
  '0008-webhooks': webhooks,
  '0009-usage': usage,
  '0010-audit-and-erasures': auditAndErasures,
  '0011-search-of-all-texts': searchOfAllTexts,
  '0012-consents': consents,
  '0013-refused-origins': refusedOrigins,
  '0014-operator-subjects': operatorSubjects,
};

/** A part of a migration. Its name is stored when it is done. */
export type MigrationStep = { readonly name: string } & Required<
  Pick<Migration, 'up'> | Pick<Migration, 'indexes'>
>;

/**
 * Returns the steps that a database lacks. Later steps, which a newer version has run, are accepted.
 *
 * @param done Names of the steps that the database has.
 * @throws If the database has other steps between those of this version.
 */
export function pendingSteps(done: readonly string[], all: Migrations): MigrationStep[] {
  const steps = stepsOf(all);
  const isKnown = done.toSorted().every((name, index) => name === (steps[index]?.name ?? name));
  if (!isKnown) throw new Error('The tables belong to another version of this server.');
  return steps.slice(done.length);
}

/**
 * Returns whether a database has exactly the steps of this version.
 *
 * @param done Names of the steps that the database has.
 */
export function isCurrent(done: readonly string[]): boolean {
  const names = stepsOf(migrations).map(({ name }) => name);
  return JSON.stringify(done.toSorted()) === JSON.stringify(names);
}

function stepsOf(all: Migrations): MigrationStep[] {
  return Object.entries(all).flatMap(([name, { up, indexes }]): MigrationStep[] => [
    ...(up ? [{ name, up }] : []),
    ...(indexes ? [{ name: `${name}.indexes`, indexes }] : []),
  ]);
}

/** Creates the table of done steps, unless it exists. */
export async function createStepTable(db: Kysely<Schema>): Promise<void> {
  await sql`create table if not exists migrations (name text not null primary key)`.execute(db);
}

/** Returns the names of the done steps. */
export async function readDoneSteps(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name);
}

export async function addDoneStep(db: Kysely<Schema>, { name }: MigrationStep): Promise<void> {
  await sql`insert into migrations (name) values (${name})`.execute(db);
}
