import * as z from 'zod';
import { pageQueryOf } from '../http/paging.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/**
 * Query parameters of the list endpoints of the chat-model prefix. `after` is the id of the last item
 * of the previous page.
 */
export const listQuery = (order: 'asc' | 'desc', size = { max: 100, default: 20 }) =>
  z.looseObject({
    limit: pageQueryOf(size).limit,
    order: z.enum(['asc', 'desc'], 'must be asc or desc').default(order),
    after: z.string('must be given once').optional(),
  });
export type ListQuery = z.output<ReturnType<typeof listQuery>>;

/**
 * Returns a page of a list.
 *
 * @param items More than `limit` if another page follows.
 */
export function toList<Value extends { id?: unknown }>(items: readonly Value[], limit: number) {
  const data = items.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: items.length > limit,
  };
}

/** Creates the error for an `after` that is not in the list. */
export function unknownCursor(): ApiError {
  return invalidField('/query/after', 'must be the id of an item of this list');
}

/**
 * Refuses query parameters that an endpoint does not accept
 * (docs/conformance.md, 4.13.10 and 4.13.11).
 *
 * @throws ApiError `VALIDATION_ERROR` with `param`.
 */
export function refuseOtherParameters(url: string, accepted: readonly string[]): void {
  // `readQuery` would ignore `[]` after a name.
  const unknown = [...new URL(url).searchParams.keys()].find((name) => !accepted.includes(name));
  if (unknown !== undefined) throw unrecognizedArgument(unknown);
}

/** Creates the error for an argument that an endpoint does not accept. */
export function unrecognizedArgument(name: string): ApiError {
  const param = name.slice(0, 200);
  return new ApiError('VALIDATION_ERROR', `Unrecognized request argument supplied: ${param}`, {
    param,
  });
}
