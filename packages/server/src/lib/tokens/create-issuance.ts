import { idPrefix, type TokenFeatures } from '@inlay/protocol';
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

/** A checked token request. */
export interface Grant {
  agent: Agent;
  version: string;
  externalUserId: string;
  /** Publishable key of a visitor; null for a user of the host. */
  publishableKey: string | null;
  ttlSeconds: number;
  systemMessage: readonly object[] | null;
  overrideSystem: string | null;
  budgetCents: number | null;
  allowedOrigins: readonly string[];
  metadata: Record<string, string>;
  features: TokenFeatures;
  sessionId: string | null;
  /** The API key, as `actor` of the audit record; null for a visitor. */
  issuedBy: string | null;
  /** Whether to create a code for a hosted link as well. */
  hosted: boolean;
}

/** An issued token. The store has only the hashes of `token` and `exchangeCode`. */
export interface Issued {
  id: string;
  token: string;
  expiresAt: string;
  exchangeCode: string | null;
}

/** A grant that is waiting to be stored. */
interface Pending {
  grant: Grant;
  id: string;
  /** Hash of the token. */
  hash: string;
  now: number;
}

/** Maximum number of issuances per transaction. */
const maxGroupSize = 64;

/**
 * Returns a function that issues a token. One transaction stores the records and token hashes of
 * requests that arrive together.
 */
export function createIssuer(services: Services): (grant: Grant) => Promise<Issued> {
  const { store, clock, random } = services;
  const findBlocked = createBlockCheck(services.pseudonyms);
  const insertIssuances = prepareInsert('issuances', [
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
    'features',
    'session_id',
    'created_at',
    'expires_at',
    'issued_by',
  ]);
  const insertValues = prepareInsert('token_values', ['hash', 'issuance_id', 'source']);
  const write = batch(maxGroupSize, writeGroup);

  return async (grant) => {
    const now = clock.now();
    const id = newIdAt(random, now, idPrefix.issuance);
    const token = newSecret(random, idPrefix.embedToken);
    const outcome = await write({ grant, id, hash: hashSecret(token), now });
    if (outcome === 'key_ended') throw unknownKey();
    if (outcome === 'visitor_ended') {
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'This visitor has just ended. Repeat the request.',
        {
          retryAfter: 1,
        },
      );
    }
    if (outcome === 'blocked') {
      throw new ApiError(
        'EMBED_USER_BLOCKED',
        'This end user is blocked for this agent. Unblock the user first.',
      );
    }
    const kind = grant.hosted ? 'hosted' : 'backend';
    services.metrics?.countToken(grant.publishableKey === null ? kind : 'visitor');
    const expiresAt = isoTime(now + grant.ttlSeconds * 1000);
    return { id, token, expiresAt, exchangeCode: outcome.exchangeCode };
  };

  /**
   * Stores a group of grants. Checks for blocked users and ended keys in the same transaction, so
   * that no token is issued while a user is being blocked.
   */
  function writeGroup(group: readonly Pending[]) {
    return store.transaction(async (db) => {
      await store.lock(db, ...group.map(({ grant }) => lockNameOf(grant)));
      const blocked = await findBlocked(
        db,
        group.map(({ grant }) => grant),
      );
      const endedKeys = await findEndedKeys(db, group);
      const visitorIds = await findVisitorIds(db, group);
      const refusalOf = ({ grant }: Pending) => {
        if (blocked.has(grant)) return 'blocked' as const;
        const isVisitor = grant.publishableKey !== null;
        if (isVisitor && !visitorIds.has(grant.externalUserId)) return 'visitor_ended' as const;
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

/**
 * Returns the ended publishable keys of a group. Locks all keys of the group: a
 * transaction that ends a key waits for the lock, and then also revokes the tokens of this group.
 */
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
      .filter(
        ({ disabled_at, ends_at }) => disabled_at !== null || (ends_at !== null && ends_at <= now),
      )
      .map(({ key }) => key),
  );
}

/**
 * Returns the visitors of a group that exist. A visitor may have ended since its secret was read, because a
 * user has claimed it or its data was deleted.
 */
async function findVisitorIds(
  db: Kysely<Schema>,
  group: readonly Pending[],
): Promise<ReadonlySet<string>> {
  const visitors = group.filter(({ grant }) => grant.publishableKey !== null);
  if (visitors.length === 0) return new Set();
  const rows = await db
    .selectFrom('visitors')
    .select('external_user_id')
    .where(({ or, and }) =>
      or(
        visitors.map(({ grant: { agent, externalUserId } }) =>
          and({ agent_id: agent.id, external_user_id: externalUserId }),
        ),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.external_user_id));
}

function lockNameOf({ agent, externalUserId }: Grant): string {
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
    features: JSON.stringify(grant.features),
    session_id: grant.sessionId,
    created_at: now,
    expires_at: now + grant.ttlSeconds * 1000,
    issued_by: grant.issuedBy,
  };
}
