import * as z from 'zod';

/** A parameter of a query that is one of a few values. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(values)}`);

/** A parameter of a query that is a text. */
export const textFilter = (description: string) =>
  z.string('must be sent once').min(1, 'must not be empty').optional().describe(description);

/** A parameter of a query that is a time. Its value is in milliseconds since the epoch. */
export const timeFilter = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error:
        'must be a time in RFC 3339, sent once and percent-encoded, such as 2026-01-31T12:00:00Z',
    })
    .transform((text) => Date.parse(text))
    .optional()
    .describe(description);

/**
 * Creates the schema of the query of a list with filters. An unknown parameter is refused: a list that
 * ignores a misspelt filter would contain everything.
 */
export function filterQuery<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.looseObject(shape).superRefine((query, context) => {
    for (const name of Object.keys(query).filter((each) => !names.includes(each))) {
      const message = `is not a parameter of this list, which has ${names.join(', ')}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });
}
