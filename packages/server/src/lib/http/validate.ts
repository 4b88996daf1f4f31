import type { FieldError } from '@inlay/protocol';
import * as z from 'zod';
import { ApiError } from '../problems/api-error.ts';

/**
 * Checks input against a schema of the protocol, and throws a `VALIDATION_ERROR` that names every
 * field. `place` leads the pointers of what is not in the body: `/query`, `/path`.
 */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  place: '' | '/query' | '/path' = '',
): z.output<Schema> {
  const result = z.safeParse(schema, value, { error: explain, reportInput: false });
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => toFieldError(issue, place)));
}

/** One refusal for all fields; the detail speaks of the first. */
export function invalid(errors: FieldError[]): ApiError {
  const [first = { pointer: '', message: 'is not valid' }, ...more] = errors;
  const name = first.pointer
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  const rest = more.length > 0 ? ` ${more.length} more in \`errors\`.` : '';
  return new ApiError(
    'VALIDATION_ERROR',
    `${name ? `\`${name}\`` : 'The body'} ${first.message}.${rest}`,
    { errors },
  );
}

/** Words for the rules that the schemas leave without any. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${articles[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'unrecognized_keys':
      return `has no field ${issue.keys.map((key) => `\`${key}\``).join(', ')}`;
    case 'invalid_union':
      return 'has a form or `type` that is not known here';
    default:
      return undefined;
  }
}

const articles: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** A zod issue, as the wire carries it. */
export function toFieldError(issue: z.core.$ZodIssue, place = ''): FieldError {
  const path = issue.path.map(
    (part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`,
  );
  return { pointer: place + path.join(''), message: issue.message };
}
