import type { LogEvent } from '@inlay/protocol';
import { limits, logEvents } from '@inlay/protocol';
import * as z from 'zod';
import { pageQueryOf } from '../http/paging.ts';
import { queryNumber } from '../http/query-number.ts';
import { seq } from '../http/seq-paging.ts';
import type { TakeReadBytes } from '../limits/read-bytes.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { parseStored } from './event-log.ts';

/** Query parameters of a page of events. */
export const EventPageQuery = z
  .looseObject({
    ...pageQueryOf(limits.eventPage),
    order: z.enum(['asc', 'desc'], 'must be asc or desc').default('asc'),
    types: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Only events of these types.'),
    after_seq: seq(
      'Only events with a higher `seq`, oldest first. Cannot be combined with `page`.',
    ),
    wait: queryNumber({
      type: 'number',
      minimum: 0,
      maximum: limits.eventWaitSeconds,
      description: 'Seconds to wait for an event after `after_seq`, if there is none yet.',
      fallback: 0,
    }).default(0),
  })
  .superRefine((query, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (query.after_seq === undefined) {
      if (query.wait > 0) refuse('wait', 'needs `after_seq`, after which an event is awaited');
      return;
    }
    if (query.order === 'desc') refuse('after_seq', 'needs `order=asc`, which is the default');
    if (query.page !== undefined) refuse('after_seq', 'cannot be combined with `page`');
  });

/**
 * Reads a page of a session's log: at most `limit` events, and at most
 * `limits.request.event_page_bytes` bytes, but at least one event if there is any. The cursor has
 * the session and the `seq` of the page's last event.
 *
 * @param takeBytes Counts the bytes of the page before it is loaded.
 */
export async function readEventPage(
  { store, config }: Pick<Services, 'store' | 'config'>,
  sessionId: string,
  query: z.output<typeof EventPageQuery>,
  takeBytes: TakeReadBytes,
) {
  const ascending = query.order === 'asc';
  const after = query.after_seq ?? readCursor(sessionId, query.page);
  const types = query.types === undefined ? null : knownTypes([query.types].flat());
  if (types?.length === 0) return { data: [], next_cursor: null, next_page: null };
  const events = store.db
    .selectFrom('events')
    .where('session_id', '=', sessionId)
    .$if(types !== null, (builder) => builder.where('type', 'in', types ?? []))
    .orderBy('seq', query.order);
  // Reads the sizes first, so that only events that fit into the page are loaded.
  const candidates = await events
    .select(({ fn }) => ['seq', fn<number>('octet_length', ['json']).as('bytes')])
    .$if(after !== null, (builder) => builder.where('seq', ascending ? '>' : '<', after ?? 0))
    .limit(query.limit + 1)
    .execute();
  const sizes = candidates.slice(0, query.limit).map(({ bytes }) => Number(bytes));
  const count = countWithin(sizes, config.limits.request.event_page_bytes);
  const [first, last] = [candidates[0], candidates[count - 1]];
  if (!first || !last) return { data: [], next_cursor: null, next_page: null };
  await takeBytes(sizes.slice(0, count).reduce((sum, bytes) => sum + bytes, 0));
  const rows = await events
    .select('json')
    .where('seq', ascending ? '>=' : '<=', first.seq)
    .where('seq', ascending ? '<=' : '>=', last.seq)
    .execute();
  const hasMore = candidates.length > count;
  const next = hasMore ? Buffer.from(`${sessionId} ${last.seq}`).toString('base64url') : null;
  const data: LogEvent[] = rows.map((row) => parseStored(row.json));
  return { data, next_cursor: next, next_page: next };
}

/** Removes duplicate and unknown types, so that the size of the SQL statement is bounded. */
function knownTypes(requested: readonly string[]): string[] {
  return [...new Set(requested)].filter((type) => Object.hasOwn(logEvents, type));
}

function readCursor(sessionId: string, page: string | undefined): number | null {
  if (page === undefined) return null;
  const [id, seqOfCursor, ...rest] = Buffer.from(page, 'base64url').toString('utf8').split(' ');
  if (id === sessionId && /^\d{1,15}$/.test(seqOfCursor ?? '') && rest.length === 0) {
    return Number(seqOfCursor);
  }
  throw invalidField('/query/page', 'must be the `next_page` of a page of this list, unchanged');
}

/**
 * Counts the leading items whose sizes add up to at most `bytes`. The first item always counts, so
 * that paging makes progress.
 */
function countWithin(sizes: readonly number[], bytes: number): number {
  let total = 0;
  const firstBeyond = sizes.findIndex((size, index) => {
    total += size;
    return index > 0 && total > bytes;
  });
  return firstBeyond < 0 ? sizes.length : firstBeyond;
}
