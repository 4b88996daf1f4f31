import { type Schema, Validator } from '@cfworker/json-schema';

/** Errors that an agent is told at once. */
const mostErrors = 10;

/**
 * Checks the arguments of a call against the tool's `input_schema` (JSON Schema 2020-12). Returns what
 * the agent has to put right; null where they fit.
 */
export function explainInput(
  input: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): string | null {
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(input);
  if (valid) return null;
  // The error of a parent only repeats that one below it failed.
  const own = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
  const lines = (own.length > 0 ? own : errors)
    .slice(0, mostErrors)
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, '') || '/'} ${error}`);
  return `The arguments do not fit the tool’s schema. Call again with this put right:\n${lines.join('\n')}`;
}
