import { type AuditEvent, AuditEventPage } from '@inlay/protocol';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { isoTime } from '../clock.ts';
import { readFilteredPage } from '../http/filtered-page.ts';
import { filterQuery, textFilter, timeFilter } from '../http/filters.ts';
import { decodeCursor, encodeCursor, pageQuery } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { AuditEventsTable } from '../store/schema.ts';

/** Route that lists the operations of API keys and of the command line. */
export function auditRoutes({ store }: Pick<Services, 'store'>): Route[] {
  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/audit_events',
        audience: 'backend',
        tag: 'Audit record',
        summary: 'List the operations of API keys and of the command line, newest first',
        description:
          'Entries are kept for `retention.audit_days`. With several filters, a page may be short or empty and still have a `next_page`.',
        query: filterQuery({
          actor: textFilter('Only operations of `key:` and the name of an API key, or of `cli`.'),
          action: textFilter(
            'Only this operation: a route as `POST /agent/v1/agents/:id`, or a command as `keys create`.',
          ),
          subject: textFilter('Only operations on this resource, as `agents/agt_1`.'),
          after: timeFilter('Only later operations.'),
          before: timeFilter('Only earlier operations.'),
          ...pageQuery,
        }),
        response: AuditEventPage,
      },
      async ({ query: { subject, actor, action, after, before, page, limit } }) => {
        const equal = Object.entries({ subject, actor, action })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => sql<SqlBool>`${sql.ref(name)} = ${value}`);
        const times = [
          after !== undefined && sql<SqlBool>`at > ${after}`,
          before !== undefined && sql<SqlBool>`at < ${before}`,
        ].filter((condition) => condition !== false);
        const { rows, next } = await readFilteredPage<Selectable<AuditEventsTable>>(store.db, {
          table: 'audit_events',
          sortedBy: { time: 'at', id: 'id' },
          // The first one selects the index.
          indexed: [...equal.slice(0, 1), ...times],
          filters: equal.slice(1),
          position: decodeCursor('audit_events', page),
          limit,
        });
        const cursor = next && encodeCursor('audit_events', next);
        return { data: rows.map(toAuditEvent), next_cursor: cursor, next_page: cursor };
      },
    ),
  ];
}

function toAuditEvent({ at, before, after, ...row }: Selectable<AuditEventsTable>): AuditEvent {
  return {
    type: 'audit_event',
    ...row,
    at: isoTime(Number(at)),
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
