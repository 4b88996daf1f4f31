import type { FieldError } from '@inlay/protocol';
import * as z from 'zod';
import { ApiError } from '../problems/api-error.ts';

/** Maximum number of errors in a response, so that it is not much longer than the request. */
const maximumErrors = 20;
/** Maximum characters of a field's name in the detail of a response. */
const maximumNameLength = 200;

/**
 * Validates input with a schema.
 *
 * @param prefix Prefix of the JSON Pointers in the error, for input that is not in the body.
 * @throws ApiError `VALIDATION_ERROR` with the first 20 invalid fields.
 */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  prefix: '' | '/query' | '/path' = '',
): z.output<Schema> {
  const result = parse(schema, value);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalid(
    issues.slice(0, maximumErrors).map((issue) => toFieldError(issue, prefix)),
    issues.length,
  );
}

function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown) {
  try {
    return z.safeParse(schema, value, { error: explain, reportInput: false });
  } catch (cause) {
    // The input is nested too deeply for the call stack, or has more values than a call can have arguments.
    if (!(cause instanceof RangeError)) throw cause;
    throw invalid([{ pointer: '', message: 'holds too much to be checked' }]);
  }
}

/**
 * Creates one error for several fields. Its detail describes the first one.
 *
 * @param count Total number of errors, if `errors` does not contain all.
 */
export function invalid(errors: FieldError[], count = errors.length): ApiError {
  const [first = { pointer: '', message: 'is not valid' }] = errors;
  const name = first.pointer
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .slice(0, maximumNameLength);
  const shown = errors.slice(0, maximumErrors);
  const rest = countMore(shown.length - 1, count - shown.length);
  return new ApiError(
    'VALIDATION_ERROR',
    `${name ? `\`${name}\`` : 'The body'} ${first.message}.${rest}`,
    { errors: shown },
  );
}

function countMore(shown: number, left: number): string {
  if (shown < 1) return '';
  return left < 1
    ? ` ${shown} more in \`errors\`.`
    : ` ${shown} more in \`errors\`, and ${left} that are not listed.`;
}

/** Returns the message for an issue whose schema rule defines none. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
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
  const names = keys.slice(0, 5).map((key) => `\`${key.slice(0, maximumNameLength)}\``);
  return keys.length > names.length
    ? `${names.join(', ')} and ${keys.length - names.length} others`
    : names.join(', ');
}

const typeNames: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Converts a zod issue to the wire format. */
export function toFieldError(issue: z.core.$ZodIssue, prefix = ''): FieldError {
  const path = issue.path.map(
    (part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`,
  );
  return { pointer: prefix + path.join(''), message: issue.message };
}
