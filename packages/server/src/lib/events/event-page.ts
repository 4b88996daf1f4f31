import type { LogEvent } from '@inlay/protocol';
import { limits, logEvents } from '@inlay/protocol';
import * as z from 'zod';
import { pageQueryOf } from '../http/paging.ts';
import type { TakeReadBytes } from '../limits/read-bytes.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { countWithin } from './count-within.ts';
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
    after_seq: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .optional()
      .describe('Only events with a higher `seq`, oldest first. Cannot be combined with `page`.'),
    wait: z.coerce
      .number('must be a number of seconds')
      .min(0, 'must be at least 0')
      .max(limits.eventWaitSeconds, `must be at most ${limits.eventWaitSeconds} seconds`)
      .default(0)
      .describe('Seconds to wait for an event after `after_seq`, if there is none yet.'),
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
 * `limits.request.event_page_bytes` bytes, but at least one event if there is any. The cursor is
 * the `seq` of the page's last event.
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
  const after = query.after_seq ?? readCursor(query.page);
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
  const next = hasMore ? Buffer.from(`seq ${last.seq}`).toString('base64url') : null;
  const data: LogEvent[] = rows.map((row) => parseStored(row.json));
  return { data, next_cursor: next, next_page: next };
}

/** Removes duplicate and unknown types, so that the size of the SQL statement is bounded. */
function knownTypes(requested: readonly string[]): string[] {
  return [...new Set(requested)].filter((type) => Object.hasOwn(logEvents, type));
}

function readCursor(page: string | undefined): number | null {
  if (page === undefined) return null;
  const match = /^seq (\d{1,15})$/.exec(Buffer.from(page, 'base64url').toString('utf8'));
  if (match) return Number(match[1]);
  throw invalidField('/query/page', 'must be the `next_page` of a page, unchanged');
}
