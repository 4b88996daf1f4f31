import type { FieldError } from '@inlay/protocol';
import * as z from 'zod';
import { ApiError } from '../problems/api-error.ts';

/** Errors that one answer names, so that it is not many times as long as the request. */
const mostErrors = 20;
/** Characters of a field's name that the detail of an answer repeats. */
const longestName = 200;

/**
 * Checks input against a schema of the protocol, and throws a `VALIDATION_ERROR` that names the
 * fields, the first 20 of them. `place` leads the pointers of what is not in the body: `/query`, `/path`.
 */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  place: '' | '/query' | '/path' = '',
): z.output<Schema> {
  const result = parse(schema, value);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalid(
    issues.slice(0, mostErrors).map((issue) => toFieldError(issue, place)),
    issues.length,
  );
}

function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown) {
  try {
    return z.safeParse(schema, value, { error: explain, reportInput: false });
  } catch (cause) {
    // The stack, or the number of arguments of a call, was too small for what the input holds.
    if (!(cause instanceof RangeError)) throw cause;
    throw invalid([{ pointer: '', message: 'holds too much to be checked' }]);
  }
}

/**
 * One refusal for all fields; the detail speaks of the first, and the answer names the first 20.
 *
 * @param count How many errors there are, where `errors` does not hold them all.
 */
export function invalid(errors: FieldError[], count = errors.length): ApiError {
  const [first = { pointer: '', message: 'is not valid' }] = errors;
  const name = first.pointer
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .slice(0, longestName);
  const shown = errors.slice(0, mostErrors);
  const rest = restOf(shown.length - 1, count - shown.length);
  return new ApiError(
    'VALIDATION_ERROR',
    `${name ? `\`${name}\`` : 'The body'} ${first.message}.${rest}`,
    { errors: shown },
  );
}

function restOf(shown: number, left: number): string {
  if (shown < 1) return '';
  return left < 1
    ? ` ${shown} more in \`errors\`.`
    : ` ${shown} more in \`errors\`, and ${left} that are not listed.`;
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
      return `has no field ${namesOf(issue.keys)}`;
    case 'invalid_union':
      return 'has a form or `type` that is not known here';
    default:
      return undefined;
  }
}

function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, 5).map((key) => `\`${key.slice(0, longestName)}\``);
  return keys.length > names.length
    ? `${names.join(', ')} and ${keys.length - names.length} others`
    : names.join(', ');
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
