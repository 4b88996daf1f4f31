import type { Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { hourMs } from '../clock.ts';
import { ConfigError } from '../config/parse-config.ts';
import { hashSecret, newId, newSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { OperatorsTable, Schema } from '../store/schema.ts';
import { hashPassword } from './passwords.ts';

/** `viewer` reads; `admin` may change everything. */
export const OperatorRole = z.enum(['viewer', 'admin']);
export type OperatorRole = z.output<typeof OperatorRole>;

/** The name that an operator signs in with, in lower case. */
const OperatorName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u);

/** Name of the first operator. */
export const firstOperator = 'admin';
/** Milliseconds for which a sign-in link is valid. */
const linkLifetime = { first: hourMs, created: 24 * hourMs };

type OperatorServices = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;
export type OperatorRow = Selectable<OperatorsTable>;

/** Finds an operator by name, in any case. */
export async function findOperator(
  db: Kysely<Schema>,
  name: string,
): Promise<OperatorRow | undefined> {
  const parsed = OperatorName.safeParse(name);
  if (!parsed.success) return undefined;
  return db.selectFrom('operators').selectAll().where('name', '=', parsed.data).executeTakeFirst();
}

/** Lists all operators by name, including disabled ones. */
export function listOperators(db: Kysely<Schema>): Promise<OperatorRow[]> {
  return db.selectFrom('operators').selectAll().orderBy('name').execute();
}

/**
 * Creates an operator without a password, who signs in with a link.
 *
 * @throws ConfigError If the name is taken or cannot be one.
 */
export async function createOperator(
  services: OperatorServices,
  { name, role }: { name: string; role: OperatorRole },
  db: Kysely<Schema> = services.store.db,
): Promise<OperatorRow> {
  const parsed = OperatorName.safeParse(name);
  if (!parsed.success) {
    throw new ConfigError(
      `An operator's name has at most 64 letters, digits and . _ @ + -, such as \`ada\` or \`ada@example.com\`; it is \`${name}\`.`,
    );
  }
  const row = await db
    .insertInto('operators')
    .values({
      id: newId(services.random, 'op_'),
      name: parsed.data,
      role,
      created_at: services.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  throw new ConfigError(
    `There is an operator ${parsed.data} already. \`inlay-server operators link ${parsed.data}\` creates a new sign-in link.`,
  );
}

/**
 * Creates the link that signs an operator in, once. An earlier link stops working.
 *
 * @returns The secret of the link, which cannot be read again.
 */
export async function createLink(
  { store, clock, random }: OperatorServices,
  { id }: Pick<OperatorRow, 'id'>,
  lifetime: keyof typeof linkLifetime,
  db: Kysely<Schema> = store.db,
): Promise<string> {
  const secret = newSecret(random, 'link_');
  await db
    .updateTable('operators')
    .set({
      link_hash: hashSecret(secret),
      link_expires_at: clock.now() + linkLifetime[lifetime],
    })
    .where('id', '=', id)
    .execute();
  return secret;
}

/** Finds the operator of a sign-in link, and makes the link invalid. */
export async function useLink(
  { store, clock }: OperatorServices,
  secret: string,
): Promise<OperatorRow | undefined> {
  return store.db
    .updateTable('operators')
    .set({ link_hash: null, link_expires_at: null })
    .where('link_hash', '=', hashSecret(secret))
    .where('link_expires_at', '>', clock.now())
    .where('disabled_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Sets the password of an operator. The caller ends the sessions. */
export async function setPassword(
  { random }: OperatorServices,
  db: Kysely<Schema>,
  id: string,
  password: string,
): Promise<void> {
  const password_hash = await hashPassword(random, password);
  await db.updateTable('operators').set({ password_hash }).where('id', '=', id).execute();
}

/**
 * Changes an operator's role, or disables or enables the operator. The sessions of a disabled operator
 * end with the next request.
 *
 * @throws ConfigError If there is no such operator.
 */
export async function changeOperator(
  { store, clock }: OperatorServices,
  name: string,
  change: { role: OperatorRole } | { disabled: boolean },
): Promise<OperatorRow> {
  return store.transaction(async (transaction) => {
    const row = await requireOperator(transaction, name);
    const values =
      'role' in change ? change : { disabled_at: change.disabled ? clock.now() : null };
    await transaction.updateTable('operators').set(values).where('id', '=', row.id).execute();
    if ('disabled' in change) {
      await transaction.deleteFrom('operator_sessions').where('operator_id', '=', row.id).execute();
    }
    return { ...row, ...values };
  });
}

/** @throws ConfigError If there is no such operator. */
export async function requireOperator(db: Kysely<Schema>, name: string): Promise<OperatorRow> {
  const row = await findOperator(db, name);
  if (row) return row;
  throw new ConfigError(
    `There is no operator ${name}. \`inlay-server operators list\` lists them.`,
  );
}

/**
 * Creates the first operator with a link, unless an operator has a password.
 *
 * @returns The secret of the link; null if an operator can sign in.
 */
export async function createFirstOperator(services: OperatorServices): Promise<string | null> {
  return services.store.transaction(async (transaction) => {
    await services.store.lock(transaction, 'operators');
    const operators = await listOperators(transaction);
    if (operators.some(({ password_hash }) => password_hash !== null)) return null;
    const first = await findOrCreateFirst(services, transaction);
    return createLink(services, first, 'first', transaction);
  });
}

/** The operator `admin`, created if there is none. */
export async function findOrCreateFirst(
  services: OperatorServices,
  transaction: Transaction<Schema>,
): Promise<OperatorRow> {
  const found = await findOperator(transaction, firstOperator);
  return found ?? createOperator(services, { name: firstOperator, role: 'admin' }, transaction);
}
