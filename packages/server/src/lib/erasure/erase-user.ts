import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Erasure, idPrefix } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import { describeChange } from '../audit/audit.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import { dayMs, isoTime, utcDay } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import { stepSize } from '../retention/sweep-step.ts';
import type { Services } from '../services.ts';
import type { DeletionServices } from '../sessions/delete-sessions.ts';
import { takeData } from '../sessions/forget-user.ts';
import { isOfUser } from '../store/is-of-user.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';
import { publishAccessRevoked } from '../tokens/end-users.ts';
import { deleteIssuances, markUserRevoked } from '../tokens/issuances.ts';

/** The services with which users are erased, of a server or of a command. */
export type ErasureServices = DeletionServices &
  Pick<Services, 'deletions' | 'pseudonyms' | 'random' | 'webhooks'> & {
    readonly worker: Pick<Services['worker'], 'id'>;
  };

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;

/** Days before today on which daily counters may still exist. */
const counterDays = 4;

/**
 * Deletes everything that the store has of an end user of an agent. Unlike `forgetUser`, also the
 * issuances, the daily counters and the block, and resolves when all rows are deleted. Works in steps,
 * between which other requests are handled. The contents of files are deleted in the background.
 *
 * The tokens are revoked first. What the user creates with a newer token stays. If the process dies
 * meanwhile, the request fails, and can be repeated.
 *
 * @param options.keepBlock Keeps a block of the user, with a pseudonym in place of the id.
 * @throws ApiError `CONFLICT` while the user is being erased; `SERVICE_UNAVAILABLE` if the deletion of
 *   some rows failed.
 */
export async function eraseUser(
  services: ErasureServices,
  user: User,
  options: { readonly keepBlock: boolean },
): Promise<Erasure> {
  const { store, clock, deletions } = services;
  const begun = await begin(services, user, options);
  try {
    await publishAccessRevoked(services, { id: user.agentId }, user.externalUserId, begun.revoked);
    const { consents, ...counts } = await takeData(services, user);
    const isComplete = await deletions.finish();
    const embedTokens = await deleteTokens(services, user);
    if (!isComplete) {
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'Some data of this user could not be deleted yet. Repeat the request.',
        { retryAfter: 10 },
      );
    }
    await store.removeTraces();
    const erased = {
      type: 'end_user.erased',
      agentId: user.agentId,
      externalUserId: null,
      data: { erasure_id: begun.id },
    } as const;
    const { webhooks } = services;
    webhooks.deliver(await store.transaction((db) => webhooks.record(db, () => [erased])));
    return {
      type: 'erasure',
      id: begun.id,
      agent_id: user.agentId,
      erased_at: isoTime(clock.now()),
      block_kept: begun.isBlockKept,
      deleted: { ...counts, embed_tokens: embedTokens, consents },
    };
  } finally {
    await store.db
      .updateTable('erasures')
      .set({ worker: null })
      .where('id', '=', begun.id)
      .execute();
  }
}

/** Records the erasure, and ends the user's access, in one transaction. */
function begin(
  { store, clock, random, pseudonyms, worker }: ErasureServices,
  user: User,
  { keepBlock }: { readonly keepBlock: boolean },
) {
  const now = clock.now();
  const [id, hmac] = [newIdAt(random, now, idPrefix.erasure), pseudonyms.hmacOf(user)];
  return store.priority.transaction(async (db) => {
    await store.priority.lock(db, endUserLock(user));
    const other = await db
      .selectFrom('erasures')
      .innerJoin('workers', 'workers.id', 'erasures.worker')
      .select('erasures.id')
      .where('agent_id', '=', user.agentId)
      .where('hmac', '=', hmac)
      .executeTakeFirst();
    if (other) {
      const detail = 'This end user is being erased. The other request has the receipt.';
      throw new ApiError('CONFLICT', detail, { retryAfter: 10 });
    }
    const isBlockKept = await replaceBlock(db, user, keepBlock ? pseudonyms.of(user) : null, now);
    const row = { id, agent_id: user.agentId, hmac, at: now, block_kept: Number(isBlockKept) };
    await db
      .insertInto('erasures')
      .values({ ...row, worker: worker.id })
      .execute();
    const subject = subjectOf(user.agentId, pseudonyms.of(user));
    await db
      .updateTable('audit_events')
      .set({ subject })
      .where('subject', '=', subjectOf(user.agentId, user.externalUserId))
      .execute();
    describeChange({ subject, after: { id, block_kept: isBlockKept } });
    return { id, isBlockKept, revoked: await markUserRevoked(db, { ...user, now }) };
  });
}

/** Returns the subject of an end user in the audit record. */
function subjectOf(agentId: string, externalUserId: string): string {
  return `agents/${agentId}/end_users/${externalUserId}`;
}

/**
 * Deletes the block of a user, or gives it to the pseudonym.
 *
 * @returns Whether the pseudonym is blocked.
 */
async function replaceBlock(
  db: Transaction<Schema>,
  user: User,
  pseudonym: string | null,
  now: number,
): Promise<boolean> {
  const rows = await db
    .deleteFrom('end_user_blocks')
    .where(isOfUser(user))
    .returning('blocked')
    .execute();
  if (pseudonym === null) return false;
  const kept = { agent_id: user.agentId, external_user_id: pseudonym, blocked: 1, updated_at: now };
  if (rows.some(({ blocked }) => blocked === 1)) {
    await db
      .insertInto('end_user_blocks')
      .values(kept)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const found = await db
    .selectFrom('end_user_blocks')
    .select('blocked')
    .where(isOfUser({ ...user, externalUserId: pseudonym }))
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes the revoked issuances and the daily counters of a user. Returns the number of issuances. */
async function deleteTokens({ store, clock }: ErasureServices, user: User): Promise<number> {
  const subject = `visitor:${user.externalUserId}`;
  const days = Array.from({ length: counterDays }, (_, n) => utcDay(clock.now() - n * dayMs));
  let count = 0;
  for (let rows = stepSize; rows === stepSize; await nextTurn()) {
    rows = await store.transaction(async (db) => {
      const found = await db
        .selectFrom('issuances')
        .select(['id', 'publishable_key'])
        .where(isOfUser(user))
        .where('revoked_at', 'is not', null)
        .limit(stepSize)
        .execute();
      const keys = new Set(found.flatMap(({ publishable_key: key }) => key ?? []));
      if (keys.size > 0) {
        await db
          .deleteFrom('publishable_key_shares')
          .where('publishable_key', 'in', [...keys])
          .where('day', 'in', days)
          .where('subject', '=', subject)
          .execute();
      }
      await deleteIssuances(
        db,
        found.map(({ id }) => id),
      );
      return found.length;
    });
    count += rows;
  }
  await store.db.deleteFrom('end_user_days').where(isOfUser(user)).execute();
  await forgetReservations(store.db, user);
  return count;
}

/** Removes the user from the reservations of model calls, whose cost is still counted for the key. */
async function forgetReservations(db: Kysely<Schema>, user: User): Promise<void> {
  await db
    .updateTable('spend_reservations')
    .set({ agent_id: null, external_user_id: null })
    .where(isOfUser(user))
    .execute();
  await db
    .updateTable('spend_reservations')
    .set({ visitor: null })
    .where('visitor', '=', `visitor:${user.externalUserId}`)
    .execute();
}
