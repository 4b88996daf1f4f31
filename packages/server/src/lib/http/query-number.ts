import * as z from 'zod';

/**
 * Creates the schema of a number in a query. It accepts decimal digits only, whereas `Number` would also
 * accept `1e1`, `0x5`, `+5` and an empty text.
 *
 * @param options.type `number` allows a fraction.
 * @param options.fallback Value of a missing parameter, for the API description. The caller adds it with
 *   `default`.
 */
export function queryNumber({
  type = 'integer',
  minimum,
  maximum,
  description,
  fallback,
}: {
  type?: 'integer' | 'number';
  minimum: number;
  maximum: number;
  description: string;
  fallback?: number;
}) {
  const [pattern, name] =
    type === 'integer' ? [/^-?\d+$/, 'a whole number'] : [/^-?\d+(?:\.\d+)?$/, 'a number'];
  return z
    .string('must be given once')
    .superRefine((text, { addIssue }) => {
      const refuse = (message: string) => addIssue({ code: 'custom', message, input: text });
      if (!pattern.test(text)) refuse(`must be ${name}`);
      else if (Number(text) < minimum) refuse(`must be at least ${minimum}`);
      else if (Number(text) > maximum) refuse(`must be at most ${maximum}`);
    })
    .meta({
      type,
      minimum,
      maximum,
      description,
      ...(fallback !== undefined && { default: fallback }),
    })
    .transform(Number);
}
