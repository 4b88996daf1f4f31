import { dereference, type Schema, Validator } from '@cfworker/json-schema';

/** Maximum errors that one tool result describes. */
export const maximumErrors = 10;

/**
 * Validates the arguments of a call against the tool's `input_schema` (JSON Schema 2020-12).
 * Returns a description of the errors for the model; null if the arguments are valid.
 */
export function explainInvalidInput(
  input: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): string | null {
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(input);
  if (valid) return null;
  // An error of a parent only repeats that a child is invalid.
  const ownErrors = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
  const lines = (ownErrors.length > 0 ? ownErrors : errors)
    .slice(0, maximumErrors)
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, '') || '/'} ${error}`);
  return `The arguments do not fit the tool’s schema. Call again with these errors corrected:\n${lines.join('\n')}`;
}

/**
 * Explains why a tool's `input_schema` is invalid; returns null if it is valid. Checks all references
 * and patterns, because the validator throws only when it applies an invalid one to an argument.
 */
export function explainInvalidSchema(schema: Readonly<Record<string, unknown>>): string | null {
  try {
    const parts = dereference(schema as Schema);
    for (const part of Object.values(parts)) {
      // `true` and `false` are schemas, too.
      if (typeof part === 'boolean') continue;
      const { $ref, __absolute_ref__, pattern, patternProperties = {} } = part;
      if ($ref !== undefined && parts[__absolute_ref__ ?? $ref] === undefined) {
        return `\`$ref\` names \`${$ref}\`, which is not in the schema`;
      }
      // Compiled with the flag that the validator uses.
      for (const source of Object.keys(patternProperties)) new RegExp(source, 'u');
      if (pattern !== undefined) new RegExp(pattern, 'u');
    }
    explainInvalidInput({}, schema);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
