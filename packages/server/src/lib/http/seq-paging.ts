import { limits } from '@inlay/protocol';
import * as z from 'zod';
import { pageQueryOf } from './paging.ts';
import { queryNumber } from './query-number.ts';

/** A `seq` in a query. */
export const seq = (description: string) =>
  queryNumber({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }).optional();

/** Query parameters of a page of an event log (docs/conformance.md, 4.10 and 4.11). */
export const SeqPageQuery = z
  .looseObject({
    after_seq: seq('Only events with a higher `seq`, oldest first.'),
    before_seq: seq('Only events with a lower `seq`, newest first.'),
    order: z
      .enum(['asc', 'desc'], 'must be asc or desc')
      .optional()
      .describe('`asc` by default; `desc` if only `before_seq` is given.'),
    limit: pageQueryOf(limits.eventPage).limit,
  })
  .superRefine(({ after_seq: after, before_seq: before, order }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (after !== undefined && before !== undefined) {
      refuse('before_seq', 'cannot be combined with `after_seq`');
    } else if (before !== undefined && order === 'asc') {
      refuse('before_seq', 'cannot be combined with `order=asc`');
    } else if (after !== undefined && order === 'desc') {
      refuse('after_seq', 'cannot be combined with `order=desc`');
    }
  });
export type SeqPageQuery = z.output<typeof SeqPageQuery>;

/** The direction of a page: ascending by default, descending by default with `before_seq`. */
export function orderOf({ order, before_seq: before }: SeqPageQuery): 'asc' | 'desc' {
  return order ?? (before === undefined ? 'asc' : 'desc');
}
