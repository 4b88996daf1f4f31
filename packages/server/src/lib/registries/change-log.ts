import { idPrefix } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import { isoTime } from '../clock.ts';
import { orderOf, type SeqPageQuery } from '../http/seq-paging.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import type { Schema } from '../store/schema.ts';

/** An event that has no `seq` yet. */
export interface ChangeDraft {
  type: string;
  [member: string]: unknown;
}

/**
 * Appends events to the log of a database or media library.
 *
 * @param transaction Must have locked the database or library, so that `seq` has no gaps and no
 *   duplicates.
 */
export async function appendChanges(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  transaction: Transaction<Schema>,
  logId: string,
  drafts: readonly ChangeDraft[],
): Promise<void> {
  const last = await transaction
    .selectFrom('change_logs')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('log_id', '=', logId)
    .executeTakeFirst();
  const firstSeq = Number(last?.seq ?? 0) + 1;
  const rows = drafts.map((draft, index) => ({
    log_id: logId,
    seq: firstSeq + index,
    json: JSON.stringify({
      seq: firstSeq + index,
      id: newId(random, idPrefix.event),
      processed_at: isoTime(clock.now()),
      ...draft,
    }),
  }));
  await transaction.insertInto('change_logs').values(rows).execute();
}

/**
 * Reads a page of the log of a database or media library (docs/conformance.md, 4.10 and 4.11).
 *
 * @typeParam Event Type of the log's events.
 */
export async function readChanges<Event>(
  db: Kysely<Schema>,
  logId: string,
  query: SeqPageQuery,
): Promise<{ data: Event[]; next_cursor: string | null }> {
  const { after_seq: after, before_seq: before, limit } = query;
  const rows = await db
    .selectFrom('change_logs')
    .select(['seq', 'json'])
    .where('log_id', '=', logId)
    .$if(after !== undefined, (builder) => builder.where('seq', '>', clampToInteger(after ?? 0)))
    .$if(before !== undefined, (builder) => builder.where('seq', '<', clampToInteger(before ?? 0)))
    .orderBy('seq', orderOf(query))
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(({ json }) => JSON.parse(json) as Event),
    next_cursor: last ? String(last.seq) : null,
  };
}
