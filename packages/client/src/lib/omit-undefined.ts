/** Returns the fields that are not undefined. */
export function omitUndefined<Fields extends object>(
  fields: {
    [Name in keyof Fields]: Fields[Name] | undefined;
  },
): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Fields;
}
