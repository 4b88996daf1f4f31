import { ApiError } from '../problems/api-error.ts';
import { reservedMember } from './read-body.ts';

type Parameters = Record<string, string | string[]>;

/**
 * Reads the parameters of a query. A parameter that occurs once becomes a string, a repeated one a
 * list. `[]` after a name is ignored.
 *
 * @param objects Names of parameters that are objects, such as `labels` in `labels[a]=b` (style
 *   `deepObject` of OpenAPI).
 * @throws ApiError `VALIDATION_ERROR` if the query is not valid UTF-8, or an object has a member
 *   `__proto__`.
 */
export function readQuery(
  url: string,
  objects: readonly string[] = [],
): Record<string, string | string[] | Parameters> {
  const query: Parameters = Object.create(null);
  const members: Record<string, Parameters> = {};
  const { search, searchParams } = new URL(url);
  requireUtf8(search);
  for (const [name, value] of searchParams) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const object = objects.find((each) => key.startsWith(`${each}[`) && key.endsWith(']'));
    if (object === undefined) {
      add(query, key, value);
      continue;
    }
    const member = key.slice(object.length + 1, -1);
    if (member === '__proto__') throw reservedMember(`/query/${object}`);
    members[object] ??= Object.create(null) as Parameters;
    add(members[object], member, value);
  }
  // A plain parameter with the name of an object replaces the object, so that validation refuses it.
  return { ...members, ...query };
}

function add(parameters: Parameters, key: string, value: string): void {
  const before = parameters[key];
  // Appended in place: copying the list for each of thousands of repetitions would take seconds.
  if (Array.isArray(before)) before.push(value);
  else parameters[key] = before === undefined ? value : [before, value];
}

/** Throws if a query is not valid UTF-8: `URLSearchParams` would silently replace invalid bytes. */
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
