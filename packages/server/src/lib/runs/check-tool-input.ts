import { fieldsOf } from '../json.ts';
import { SchemaValidator } from './schema-validator.ts';
import { type TimeLimit, TimeLimitError } from './time-limit.ts';

/** Maximum errors that one tool result describes. */
export const maximumErrors = 10;
/**
 * Maximum milliseconds for validating the arguments of all calls of one model response. A schema’s
 * `pattern` may need exponential time for a text that a user made the model pass.
 */
export const checkTimeMs = 100;

type JsonSchema = Readonly<Record<string, unknown>>;

/** The validators of the schemas in the configuration. */
const validators = new WeakMap<JsonSchema, SchemaValidator>();

function validatorOf(schema: JsonSchema): SchemaValidator {
  const validator = validators.get(schema) ?? new SchemaValidator(schema, maximumErrors);
  validators.set(schema, validator);
  return validator;
}

/**
 * Validates the arguments of a call against the tool's `input_schema` (JSON Schema 2020-12).
 * Returns a description of the errors for the model; null if the arguments are valid.
 *
 * @param timeLimit Arguments that take longer are not valid.
 * @param onUnchecked Called with the reason if the arguments could not be checked.
 */
export function explainInvalidInput(
  input: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  timeLimit: TimeLimit,
  onUnchecked: (reason: string) => void,
): string | null {
  try {
    const validator = validatorOf(schema);
    const lines =
      validator.validateQuickly(input) ?? timeLimit.run(() => validator.validate(input));
    if (lines.length === 0) return null;
    return `The arguments do not fit the tool’s schema. Call again with these errors corrected:\n${lines.join('\n')}`;
  } catch (error) {
    onUnchecked(error instanceof Error ? error.message : String(error));
    return error instanceof TimeLimitError
      ? 'The arguments are too complex to check. Call again with shorter or simpler ones.'
      : 'The arguments could not be checked against the tool’s schema. Do not call this tool again.';
  }
}

/**
 * Explains why a tool's `input_schema` is invalid; returns null if it is valid. Checks all references
 * and patterns, because the validator throws only when it applies an invalid one to an argument.
 */
export function explainInvalidSchema(schema: JsonSchema): string | null {
  try {
    const validator = validatorOf(schema);
    for (const { pattern, patternProperties } of validator.parts) {
      // Compiled with the flag that the validator uses.
      for (const source of Object.keys(fieldsOf(patternProperties))) new RegExp(source, 'u');
      if (typeof pattern === 'string') new RegExp(pattern, 'u');
    }
    validator.validate({});
    return null;
  } catch (error) {
    return error instanceof RangeError
      ? 'it is nested too deeply'
      : error instanceof Error
        ? error.message
        : String(error);
  }
}
