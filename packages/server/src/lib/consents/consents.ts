import { createHash } from 'node:crypto';
import { type Consent, type EmbedConfig, type GiveConsentRequest, idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import type { Agent } from '../agents/agent.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { isoTime } from '../clock.ts';
import { describeError } from '../log/logger.ts';
import { invalidField } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import type { Services } from '../services.ts';
import { isOfUser } from '../store/is-of-user.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;
type ShownConsent = NonNullable<EmbedConfig['consent']>;

/**
 * Returns a function that returns the consent text of an agent with its hash, and stores it before it is
 * shown, so that the platform has the text of every consent.
 */
export function createConsentTexts({
  store,
  clock,
  log,
}: Pick<Services, 'store' | 'clock' | 'log'>): (agent: Agent) => Promise<ShownConsent | null> {
  /** The text that this process stored last, by agent. */
  const stored = new Map<string, ShownConsent>();
  return async ({ id, appearance: { consent } }) => {
    if (!consent) return null;
    const { text } = consent;
    const last = stored.get(id);
    if (last?.text === text) return last;
    const text_sha256 = createHash('sha256').update(text).digest('hex');
    try {
      await store.db
        .insertInto('consent_texts')
        .values({ agent_id: id, text_sha256, text, shown_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      stored.set(id, { text, text_sha256 });
    } catch (error) {
      // Conversations can be read with a full disk. The next request tries again.
      log.error('consent text not stored', { agent: id, ...describeError(error) });
    }
    return { text, text_sha256 };
  };
}

/**
 * Records that the caller has agreed to a text. The first consent to a text counts, so that the request can
 * be repeated.
 *
 * @throws ApiError `VALIDATION_ERROR` if the agent has not shown the text.
 */
export async function giveConsent(
  services: Services,
  caller: EndUserCaller,
  { text_sha256, language }: GiveConsentRequest,
): Promise<Consent> {
  const { store, clock, random } = services;
  const { agentId: agent_id, externalUserId: external_user_id } = caller;
  const now = clock.now();
  return store.transaction(async (db) => {
    // `takeData` takes the same lock, so that an erasure also deletes a consent that is being recorded.
    await store.lock(db, endUserLock(caller));
    await requireValidToken(db, services, caller);
    const shown = await db
      .selectFrom('consent_texts')
      .select('text')
      .where('agent_id', '=', agent_id)
      .where('text_sha256', '=', text_sha256)
      .executeTakeFirst();
    if (!shown) {
      const message =
        'is not the hash of a text of this agent; send `consent.text_sha256` of `GET /agent/v1/embed/config`';
      throw invalidField('/text_sha256', message);
    }
    const id = newIdAt(random, now, idPrefix.consent);
    await db
      .insertInto('consents')
      .values({ id, agent_id, external_user_id, text_sha256, language, given_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const [consent] = await listConsents(db, caller, text_sha256);
    if (!consent) throw new Error('the consent was not stored');
    return consent;
  });
}

/**
 * Lists the consents of an end user, the latest first.
 *
 * @param hash Hash of the only text to return the consent to. By default all texts.
 */
export async function listConsents(
  db: Kysely<Schema>,
  user: User,
  hash?: string,
): Promise<Consent[]> {
  const rows = await db
    .selectFrom('consents')
    .innerJoin('consent_texts', (join) =>
      join
        .onRef('consent_texts.agent_id', '=', 'consents.agent_id')
        .onRef('consent_texts.text_sha256', '=', 'consents.text_sha256'),
    )
    .select(['id', 'consents.text_sha256', 'text', 'language', 'given_at'])
    .where('consents.agent_id', '=', user.agentId)
    .where('external_user_id', '=', user.externalUserId)
    .$if(hash !== undefined, (query) => query.where('consents.text_sha256', '=', hash ?? ''))
    .orderBy('given_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ given_at, ...row }) => ({
    type: 'consent',
    ...row,
    given_at: isoTime(Number(given_at)),
  }));
}

/** Gives the consents of a visitor to the user who has claimed the visitor. */
export async function moveConsents(
  db: Kysely<Schema>,
  visitor: User,
  { externalUserId }: User,
): Promise<void> {
  await db
    .updateTable('consents')
    .set({ external_user_id: externalUserId })
    .where(isOfUser(visitor))
    .where('text_sha256', 'not in', ({ selectFrom }) =>
      selectFrom('consents')
        .select('text_sha256')
        .where(isOfUser({ ...visitor, externalUserId })),
    )
    .execute();
  await db.deleteFrom('consents').where(isOfUser(visitor)).execute();
}
