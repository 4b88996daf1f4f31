import type { Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { describeChange } from '../audit/audit.ts';
import { hourMs } from '../clock.ts';
import { ApiError, invalidField, notFound } from '../problems/api-error.ts';
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

/** An operator, and the secret of the link with which the operator signs in. */
interface Invitation {
  readonly operator: OperatorRow;
  /** Cannot be read again. */
  readonly link: string;
}

/** The secret is in the fragment, which browsers do not send and proxies do not log. */
export function consoleLink(consoleUrl: string, secret: string): string {
  return `${consoleUrl}/#link=${secret}`;
}

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
 * Creates an operator, and a link to sign in for a day.
 *
 * @throws ApiError `VALIDATION_ERROR` if the name cannot be one; `CONFLICT` if it is taken.
 */
export async function inviteOperator(
  services: OperatorServices,
  { name, role }: { name: string; role: OperatorRole },
): Promise<Invitation> {
  return services.store.transaction(async (db) => {
    const operator = await createOperator(services, { name, role }, db);
    describeChange({ subject: `operators/${operator.name}`, after: { role } });
    return { operator, link: await createLink(services, operator, 'created', db) };
  });
}

/**
 * Removes an operator's password, ends the sessions, and creates a link to sign in for a day, with which
 * the operator sets another password.
 *
 * @throws ApiError `NOT_FOUND` if there is no such operator; `CONFLICT` for a disabled one.
 */
export async function resetPassword(services: OperatorServices, name: string): Promise<Invitation> {
  return services.store.transaction(async (db) => {
    const operator = await requireOperator(db, name);
    if (operator.disabled_at !== null) {
      throw new ApiError('CONFLICT', `${operator.name} is disabled. Enable the operator first.`);
    }
    await db
      .updateTable('operators')
      .set({ password_hash: null })
      .where('id', '=', operator.id)
      .execute();
    await endSessions(db, operator);
    return { operator, link: await createLink(services, operator, 'created', db) };
  });
}

/** Creates an operator without a password. */
export async function createOperator(
  services: OperatorServices,
  { name, role }: { name: string; role: OperatorRole },
  db: Kysely<Schema>,
): Promise<OperatorRow> {
  const parsed = OperatorName.safeParse(name);
  if (!parsed.success) {
    throw invalidField(
      '/name',
      `has at most 64 letters, digits and . _ @ + -, such as \`ada\` or \`ada@example.com\`; it is \`${name}\``,
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
  throw new ApiError(
    'CONFLICT',
    `There is an operator ${parsed.data} already. For a new sign-in link, reset the password (\`inlay-server operators link ${parsed.data}\`).`,
  );
}

/**
 * Creates the link that signs an operator in, once. An earlier link stops working.
 *
 * @returns The secret of the link, which cannot be read again.
 */
async function createLink(
  { clock, random }: OperatorServices,
  { id }: Pick<OperatorRow, 'id'>,
  lifetime: keyof typeof linkLifetime,
  db: Kysely<Schema>,
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
 * @param options.keepAdmin Whether the last enabled admin cannot be changed to something else.
 * @throws ApiError `NOT_FOUND` if there is no such operator; `CONFLICT` for the last admin.
 */
export async function changeOperator(
  { store, clock }: OperatorServices,
  name: string,
  change: { role: OperatorRole } | { disabled: boolean },
  { keepAdmin = false } = {},
): Promise<OperatorRow> {
  return store.transaction(async (transaction) => {
    // Two admins who demote each other at the same time would both succeed.
    await store.lock(transaction, 'operators');
    const row = await requireOperator(transaction, name);
    const staysAdmin = 'role' in change ? change.role === 'admin' : !change.disabled;
    if (keepAdmin && !staysAdmin) await requireOtherAdmin(transaction, row);
    if ('role' in change) describeChange({ before: { role: row.role }, after: change });
    const values =
      'role' in change ? change : { disabled_at: change.disabled ? clock.now() : null };
    await transaction.updateTable('operators').set(values).where('id', '=', row.id).execute();
    if ('disabled' in change) {
      await endSessions(transaction, row);
    }
    return { ...row, ...values };
  });
}

async function requireOtherAdmin(db: Kysely<Schema>, { id, name }: OperatorRow): Promise<void> {
  const admins = await db
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .execute();
  if (admins.some((admin) => admin.id !== id)) return;
  throw new ApiError(
    'CONFLICT',
    `${name} is the last enabled admin. Give another operator the role \`admin\` first.`,
  );
}

/** Ends all sessions of an operator. */
export async function endSessions(
  db: Kysely<Schema>,
  { id }: Pick<OperatorRow, 'id'>,
): Promise<void> {
  await db.deleteFrom('operator_sessions').where('operator_id', '=', id).execute();
}

/** @throws ApiError `NOT_FOUND` if there is no such operator. */
async function requireOperator(db: Kysely<Schema>, name: string): Promise<OperatorRow> {
  const row = await findOperator(db, name);
  if (row) return row;
  throw notFound(`There is no operator ${name}. \`inlay-server operators list\` lists them.`);
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
