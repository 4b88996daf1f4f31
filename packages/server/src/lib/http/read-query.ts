import { ApiError } from '../problems/api-error.ts';

/**
 * The parameters of a query. One that comes once is a string, one that is repeated a list; a list
 * is read alike with and without `[]` after its name.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  const { search, searchParams } = new URL(url);
  requireUtf8(search);
  for (const [name, value] of searchParams) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query[key];
    // Appended in place: a copy for each of thousands of repetitions would take seconds.
    if (Array.isArray(before)) before.push(value);
    else query[key] = before === undefined ? value : [before, value];
  }
  return { ...query };
}

/** What is no UTF-8 would be read as something that nobody wrote. */
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
