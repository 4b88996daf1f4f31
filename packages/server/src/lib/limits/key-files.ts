import { type Kysely, sql } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import { dayMs, secondsToNextUtcDay, utcDay } from '../clock.ts';
import { isUnsent } from '../files/unsent-files.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';
import {
  type DailyQuota,
  type KeyVisitor,
  type QuotaServices,
  quotaExceeded,
  quotasOfVisitor,
  requireKey,
} from './daily-quotas.ts';
import { addToDay } from './day-counters.ts';
import {
  availablePart,
  classify,
  readDay,
  subjectsOf,
  unsentBytesOfSource,
} from './key-reserve.ts';

const quotaName = 'uploads';

/**
 * Counts a visitor's upload against the quotas of the visitor's networks and of the publishable key,
 * and limits the files that visitors have not sent. Call it in the transaction that completes the file.
 *
 * @throws `EMBED_QUOTA_EXCEEDED`
 */
export async function countKeyFile(
  services: QuotaServices,
  db: Kysely<Schema>,
  visitor: KeyVisitor,
  bytes: number,
): Promise<void> {
  const { agent, publishableKey } = requireKey(services, visitor.publishableKey);
  const now = services.clock.now();
  const day = { publishable_key: publishableKey.key, day: utcDay(now) };
  const count = async (
    kind: DailyQuota['kind'] | 'key',
    quota: number,
    table: 'publishable_key_shares' | 'publishable_key_days',
    row: Readonly<Record<string, string>>,
  ) => {
    const hasRoom = sql`${sql.ref(`${table}.file_bytes`)} <= ${quota - bytes}`;
    const isWithin = bytes <= quota;
    if (isWithin && (await addToDay(db, table, row, 'file_bytes', bytes, hasRoom)) !== null) return;
    throw quotaExceeded(quotaName, kind, now);
  };
  // Classified before the upload is counted, so that its size does not decide.
  const visitorClass = await classify(services, db, agent.id, publishableKey, visitor);
  const available = availablePart(publishableKey, visitorClass);
  for (const { subject, kind, fileBytes } of quotasOfVisitor(publishableKey, visitor)) {
    await count(kind, fileBytes, 'publishable_key_shares', { ...day, subject });
  }
  await count('key', available.fileBytes, 'publishable_key_days', day);
  // The lock of the key's row, which was just written, keeps concurrent uploads from passing together.
  const unsent = await remainingUnsentBytes(db, publishableKey, visitor.source, available, now);
  if (unsent < 0) throw unsentExceeded(now);
}

/**
 * Returns the number of bytes that the visitor may still upload: today, and beside the files that
 * visitors have not sent.
 *
 * @throws `EMBED_QUOTA_EXCEEDED` if `bytes` is more than that.
 */
export async function requireKeyFiles(
  services: QuotaServices,
  visitor: KeyVisitor,
  bytes: number,
): Promise<number> {
  const { db } = services.store;
  const { agent, publishableKey } = requireKey(services, visitor.publishableKey);
  const now = services.clock.now();
  const quotas = quotasOfVisitor(publishableKey, visitor);
  const subjects = quotas.map(({ subject }) => subject);
  const used = await readDay(db, publishableKey.key, utcDay(now), subjects);
  const visitorClass = await classify(services, db, agent.id, publishableKey, visitor);
  const available = availablePart(publishableKey, visitorClass);
  const remaining = [
    ...quotas.map(({ subject, kind, fileBytes }) => ({
      kind,
      bytes: fileBytes - (used.shares.get(subject)?.fileBytes ?? 0),
    })),
    { kind: 'key' as const, bytes: available.fileBytes - used.key.fileBytes },
  ];
  for (const { kind, bytes: left } of remaining) {
    if (bytes > left || left <= 0) throw quotaExceeded(quotaName, kind, now);
  }
  const unsent = await remainingUnsentBytes(db, publishableKey, visitor.source, available, now);
  if (bytes > unsent || unsent <= 0) throw unsentExceeded(now);
  return Math.min(unsent, ...remaining.map(({ bytes: left }) => left));
}

/**
 * Returns how many more bytes may be stored in files that visitors have not sent in a message: of
 * all visitors of the key together, and of the visitor's networks, which may use a part of it.
 */
async function remainingUnsentBytes(
  db: Kysely<Schema>,
  publishableKey: AgentKey,
  source: string | null,
  available: ReturnType<typeof availablePart>,
  now: number,
): Promise<number> {
  const rows = await db
    .selectFrom('files')
    .select(['source', ({ fn }) => fn.sum<number | string>('size_bytes').as('bytes')])
    .where('publishable_key', '=', publishableKey.key)
    // Older ones are deleted by the hourly sweep.
    .where('created_at', '>=', now - 2 * dayMs)
    .where('is_complete', '=', 1)
    .where(isUnsent)
    .groupBy('source')
    .execute();
  const bytesOf = (subject: string | null) =>
    rows
      .filter((row) => subject === null || subjectsOf(row.source).includes(subject))
      .reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const ofSource = unsentBytesOfSource(publishableKey);
  return Math.min(
    available.unsentFileBytes - bytesOf(null),
    ...subjectsOf(source).map((subject, level) => ofSource * (level + 1) - bytesOf(subject)),
  );
}

function unsentExceeded(now: number): ApiError {
  return new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    'Visitors uploaded too many files that they have not sent. Send the message with the files that are uploaded already, or try again later.',
    { retryAfter: secondsToNextUtcDay(now) },
  );
}
