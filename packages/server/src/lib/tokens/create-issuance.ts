import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import type { Agent } from '../agents/agent.ts';
import { unknownKey } from '../agents/publishable-keys.ts';
import { isoTime } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashSecret, newIdAt, newSecret } from '../random.ts';
import type { Services } from '../services.ts';
import { batch } from '../store/batch.ts';
import { prepareInsert } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';
import { createBlockCheck } from './end-user-blocks.ts';
import { createExchangeCode } from './exchange-codes.ts';

/** What a token is to be, after every rule was checked. */
export interface Grant {
  agent: Agent;
  version: string;
  externalUserId: string;
  /** The key by which a visitor comes; null for a user of the host. */
  publishableKey: string | null;
  ttlSeconds: number;
  systemMessage: readonly object[] | null;
  overrideSystem: string | null;
  budgetCents: number | null;
  allowedOrigins: readonly string[];
  metadata: Record<string, string>;
  /** Whether to make a code for a hosted link as well. */
  hosted: boolean;
}

/** What is given out, this once. */
export interface Issued {
  id: string;
  token: string;
  expiresAt: string;
  exchangeCode: string | null;
}

/** A grant on its way into the store. */
interface Pending {
  grant: Grant;
  id: string;
  hash: string;
  now: number;
}

/** Issuances that share a transaction, at most. */
const groupSize = 64;

/**
 * Makes what issues tokens: it writes the record and its token's hash in one step, together with
 * whatever else is issued at that moment.
 */
export function createIssuer(services: Services): (grant: Grant) => Promise<Issued> {
  const { store, clock, random } = services;
  const findBlocked = createBlockCheck(store.db);
  const insertIssuances = prepareInsert(store.db, 'issuances', [
    'id',
    'agent_id',
    'agent_version',
    'external_user_id',
    'publishable_key',
    'system_message',
    'override_system',
    'budget_cents',
    'allowed_origins',
    'metadata',
    'created_at',
    'expires_at',
  ]);
  const insertValues = prepareInsert(store.db, 'token_values', ['hash', 'issuance_id', 'source']);
  const write = batch(groupSize, writeGroup);

  return async (grant) => {
    const now = clock.now();
    const id = newIdAt(random, now, idPrefix.issuance);
    const token = newSecret(random, idPrefix.embedToken);
    const outcome = await write({ grant, id, hash: hashSecret(token), now });
    if (outcome === 'key_ended') throw unknownKey();
    if (outcome === 'blocked') {
      throw new ApiError(
        'EMBED_USER_BLOCKED',
        'This end user is blocked for this agent. Unblock the user first.',
      );
    }
    const expiresAt = isoTime(now + grant.ttlSeconds * 1000);
    return { id, token, expiresAt, exchangeCode: outcome.exchangeCode };
  };

  /** Looks for blocks and ended keys in the same transaction, so that no token slips out beside one. */
  function writeGroup(group: readonly Pending[]) {
    return store.transaction(async (db) => {
      await store.lock(db, ...group.map(({ grant }) => userLockOf(grant)));
      const blocked = await findBlocked(
        db,
        group.map(({ grant }) => grant),
      );
      const endedKeys = await findEndedKeys(db, group);
      const refusalOf = ({ grant }: Pending) => {
        if (blocked.has(grant)) return 'blocked' as const;
        return endedKeys.has(grant.publishableKey) ? ('key_ended' as const) : null;
      };
      const written = group.filter((pending) => refusalOf(pending) === null);
      await insertIssuances(db, written.map(toRow));
      await insertValues(
        db,
        written.map(({ hash, id }) => ({ hash, issuance_id: id, source: 'issue' })),
      );
      const codes = new Map<Pending, string>();
      for (const pending of written) {
        if (!pending.grant.hosted) continue;
        const { id: issuanceId, now } = pending;
        codes.set(pending, await createExchangeCode(db, { random, issuanceId, now }));
      }
      return group.map(
        (pending) => refusalOf(pending) ?? { exchangeCode: codes.get(pending) ?? null },
      );
    });
  }
}

/** Whoever ends one of these keys waits for the transaction, and revokes what it issues, too. */
async function findEndedKeys(
  db: Kysely<Schema>,
  group: readonly Pending[],
): Promise<ReadonlySet<string | null>> {
  const keys = group.flatMap(({ grant }) => grant.publishableKey ?? []);
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom('publishable_keys')
    .select(['key', 'disabled_at', 'ends_at'])
    .where('key', 'in', [...new Set(keys)].sort())
    .forShare()
    .execute();
  const now = group.reduce((latest, pending) => Math.max(latest, pending.now), 0);
  return new Set(
    rows
      .filter(({ disabled_at, ends_at }) => disabled_at !== null || (ends_at ?? now + 1) <= now)
      .map(({ key }) => key),
  );
}

function userLockOf({ agent, externalUserId }: Grant): string {
  return endUserLock({ agentId: agent.id, externalUserId });
}

function toRow({ grant, id, now }: Pending) {
  return {
    id,
    agent_id: grant.agent.id,
    agent_version: grant.version,
    external_user_id: grant.externalUserId,
    publishable_key: grant.publishableKey,
    system_message: grant.systemMessage && JSON.stringify(grant.systemMessage),
    override_system: grant.overrideSystem,
    budget_cents: grant.budgetCents,
    allowed_origins: JSON.stringify(grant.allowedOrigins),
    metadata: JSON.stringify(grant.metadata),
    created_at: now,
    expires_at: now + grant.ttlSeconds * 1000,
  };
}
