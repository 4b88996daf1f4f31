import { type Kysely, sql } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { secondsToNextUtcDay, utcDay } from '../clock.ts';
import { visitorQuotas } from '../config/embed-policy.ts';
import { networksOf } from '../http/source.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import type { Schema } from '../store/schema.ts';
import { addToDay } from './day-counters.ts';
import {
  availablePart,
  classify,
  isNewSource,
  readDay,
  subjectsOf,
  toMicrocents,
} from './key-reserve.ts';

export interface QuotaServices extends Pick<ServiceOptions, 'store' | 'clock'> {
  readonly agents: AgentRegistry;
}

/** An anonymous visitor of a publishable key, with the source of the request. */
export interface KeyVisitor {
  publishableKey: string;
  externalUserId: string;
  /** The networks of the request, as `sourceSubject` returns them; null if unknown. */
  source: string | null;
}

/** The daily quota of one visitor or one network, a part of the key's daily quota. */
export interface DailyQuota {
  /** Key of the row in `publishable_key_shares`. */
  readonly subject: string;
  readonly kind: 'visitor' | 'source' | 'network';
  readonly sessions: number;
  readonly spendMicrocents: number;
  readonly fileBytes: number;
}

/**
 * Returns the quotas that a visitor's sessions, model calls and uploads count against, besides the
 * quota of the key. A larger network has a larger quota, but not as many times as it has sources:
 * one customer of a provider has all sources of a network.
 */
export function quotasOfVisitor(
  key: AgentKey,
  visitor: Pick<KeyVisitor, 'externalUserId' | 'source'>,
): DailyQuota[] {
  const settings = visitorQuotas(key);
  const shareOf = (ofSource: number, quota: number, level: number) =>
    Math.min(ofSource * (level + 1), Math.max(ofSource, quota));
  return [
    {
      subject: `visitor:${visitor.externalUserId}`,
      kind: 'visitor',
      sessions: clampToInteger(settings.sessions_per_visitor_per_day),
      spendMicrocents: toMicrocents(settings.spend_cents_per_visitor_per_day),
      fileBytes: key.file_bytes_per_day,
    },
    ...subjectsOf(visitor.source).map((subject, level): DailyQuota => {
      const sessions = shareOf(settings.sessions_per_source_per_day, key.sessions_per_day, level);
      const cents = shareOf(
        settings.spend_cents_per_source_per_day,
        key.spend_cents_per_day,
        level,
      );
      return {
        subject,
        kind: level === 0 ? 'source' : 'network',
        sessions: clampToInteger(sessions),
        spendMicrocents: toMicrocents(cents),
        fileBytes: shareOf(settings.file_bytes_per_source_per_day, key.file_bytes_per_day, level),
      };
    }),
  ];
}

/**
 * Returns the ids of a source's networks in the store, from the smallest to the largest, separated by
 * spaces. They are hashes, which are different for each publishable key. They are not anonymous,
 * because hashing every possible address reveals the address.
 *
 * @param address The result of `sourceOf`.
 */
export function sourceSubject(publishableKey: string, address: string): string {
  return networksOf(address)
    .map((network, level) => {
      const hash = hashSecret(`${publishableKey} ${network}`).slice(0, 22);
      return `${['source', 'network', 'site'][level]}:${hash}`;
    })
    .join(' ');
}

/**
 * Rejects a new visitor if the publishable key, the visitor's source or one of its networks has used
 * up its daily quota of sessions or spending.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function requireDailyQuota(
  services: QuotaServices,
  publishableKey: AgentKey,
  source: string,
): Promise<void> {
  const { store, clock } = services;
  const now = clock.now();
  const used = await readDay(store.db, publishableKey.key, utcDay(now), subjectsOf(source));
  const quotas = quotasOfVisitor(publishableKey, { externalUserId: '', source });
  for (const quota of quotas) {
    const row = used.shares.get(quota.subject);
    if (quota.kind === 'visitor') continue;
    if ((row?.sessions ?? 0) >= quota.sessions) throw quotaExceeded('sessions', quota.kind, now);
    if ((row?.spentMicrocents ?? 0) >= quota.spendMicrocents) {
      throw quotaExceeded('spend', quota.kind, now);
    }
  }
  const site = subjectsOf(source).at(-1);
  const available = availablePart(publishableKey, {
    isKnown: false,
    isNewSource: isNewSource(publishableKey, site === undefined ? null : used.shares.get(site), 1),
  });
  if (used.key.sessions >= available.sessions) throw quotaExceeded('sessions', 'key', now);
  if (used.key.spentMicrocents >= available.spendMicrocents) {
    throw quotaExceeded('spend', 'key', now);
  }
}

/**
 * Counts a new session against the quotas of the visitor, its networks and the key.
 *
 * @param db The transaction that starts the session; a rejection rolls it back.
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function countDailySession(
  services: QuotaServices,
  visitor: KeyVisitor,
  db: Kysely<Schema> = services.store.db,
): Promise<void> {
  const { agent, publishableKey } = requireKey(services, visitor.publishableKey);
  const now = services.clock.now();
  const day = { publishable_key: publishableKey.key, day: utcDay(now) };
  const count = async (
    kind: keyof typeof ownerNames,
    { sessions, spendMicrocents }: Pick<DailyQuota, 'sessions' | 'spendMicrocents'>,
    table: 'publishable_key_shares' | 'publishable_key_days',
    row: Readonly<Record<string, string>>,
  ) => {
    const isBelow = sql`${sql.ref(`${table}.sessions`)} < ${sessions}
      and ${sql.ref(`${table}.spent_microcents`)} < ${spendMicrocents}`;
    const isOpen = sessions > 0 && spendMicrocents > 0;
    if (isOpen && (await addToDay(db, table, row, 'sessions', 1, isBelow)) !== null) return;
    throw quotaExceeded('sessions or spend', kind, now);
  };
  // The quotas of the visitor and the networks are checked before the quota of the key: a request that
  // exceeds one of them does not lock the key's row.
  for (const quota of quotasOfVisitor(publishableKey, visitor)) {
    const row = { ...day, subject: quota.subject };
    await count(quota.kind, quota, 'publishable_key_shares', row);
  }
  const visitorClass = await classify(services, db, agent.id, publishableKey, visitor);
  const { sessions, spendMicrocents } = availablePart(publishableKey, visitorClass);
  const quota = { sessions: clampToInteger(sessions), spendMicrocents };
  await count('key', quota, 'publishable_key_days', day);
}

/** Finds the publishable key of a visitor, with its agent. */
export function requireKey({ agents }: QuotaServices, key: string) {
  const found = agents.findPublishableKey(key);
  if (!found)
    throw new ApiError(
      'EMBED_TOKEN_REVOKED',
      'The publishable key of this visitor no longer exists.',
    );
  return found;
}

const ownerNames = {
  key: 'of this publishable key',
  visitor: 'of this visitor',
  source: 'of visitors from this address',
  network: 'of visitors from this network',
};

export function quotaExceeded(
  quota: string,
  owner: keyof typeof ownerNames,
  now: number,
): ApiError {
  return new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `The daily quota of ${quota} ${ownerNames[owner]} is used up. It is reset at 00:00 UTC.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}
