import { ApiError } from '../problems/api-error.ts';

/**
 * Reads the parameters of a query. A parameter that occurs once is a string, a repeated one a list.
 * `[]` after a name is ignored.
 *
 * @throws ApiError `VALIDATION_ERROR` if the query is not valid UTF-8.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  const { search, searchParams } = new URL(url);
  requireUtf8(search);
  for (const [name, value] of searchParams) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query[key];
    // Appended in place: copying for each of thousands of repetitions would take seconds.
    if (Array.isArray(before)) before.push(value);
    else query[key] = before === undefined ? value : [before, value];
  }
  return { ...query };
}

/** `URLSearchParams` replaces invalid UTF-8 silently. */
function requireUtf8(search: string): void {
  try {
    decodeURIComponent(search);
  } catch {
    const message = 'must be UTF-8, percent-encoded';
    throw new ApiError('VALIDATION_ERROR', `The query of the address ${message}.`, {
      errors: [{ pointer: '/query', message }],
    });
  }
}
