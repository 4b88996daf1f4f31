import { rejectUnknown } from './reject-unknown.ts';

export interface PageParams {
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

/**
 * Converts the parameters of a list to a query.
 *
 * @param nextPage Replaces `page`.
 * @throws PlatformError `INVALID_OPTION` for an unknown parameter.
 */
export function pageQuery(
  method: string,
  { limit, page, ...unknown }: PageParams,
  nextPage = page,
) {
  rejectUnknown(method, unknown, 'limit and page');
  return { limit, page: nextPage };
}
