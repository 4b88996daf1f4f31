import type { Chooser } from './chooser.ts';
import type { Schema } from './document.ts';
import { edgeCaseText, edgeCaseValue, withUnknownMember } from './edge-cases.ts';

/** Ids of existing resources, by the names of fields and parameters. */
export type Fixtures = Readonly<Record<string, string>>;

export interface GenerationOptions {
  choose: Chooser;
  fixtures: Fixtures;
  /** Percentage of values that do not match their schema. */
  invalidPercent: number;
}

/** Generates a value for a schema, sometimes an invalid one. Undefined means that the field is omitted. */
export function makeValue(schema: Schema, name: string, generation: GenerationOptions): unknown {
  const { choose, invalidPercent } = generation;
  if (choose.percent(invalidPercent)) return breakValue(schema, generation);
  if ('const' in schema) return schema.const;
  if (schema.enum) return choose.pickAny(schema.enum);
  const variant = choose.pickAny(schema.anyOf ?? schema.oneOf ?? []);
  if (variant) return makeValue(variant, name, generation);
  const type = [schema.type ?? []].flat();
  switch (choose.pickAny(type)) {
    case 'string':
      return makeText(schema, name, generation);
    case 'integer':
    case 'number':
      return choose.between(
        Math.max(schema.minimum ?? 0, -1000),
        Math.min(schema.maximum ?? 1000, 1_000_000),
      );
    case 'boolean':
      return choose.percent(50);
    case 'array':
      return Array.from({ length: choose.between(schema.minItems ?? 0, 2) }, () =>
        makeValue(schema.items ?? {}, name, generation),
      );
    case 'object':
      return makeObject(schema, generation);
    default:
      return choose.pick([null, 'text', 1, {}]);
  }
}

function makeText(schema: Schema, name: string, { choose, fixtures }: GenerationOptions): string {
  const meant = Object.hasOwn(fixtures, name) ? fixtures[name] : undefined;
  if (meant !== undefined && choose.percent(90)) return meant;
  const length = Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 12, 12));
  return 'abcdefghijkl'.padEnd(length, 'm').slice(0, length);
}

function makeObject(schema: Schema, generation: GenerationOptions): object {
  const { choose, invalidPercent } = generation;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name);
    if (isRequired ? choose.percent(invalidPercent) : choose.percent(60)) continue;
    members.push([name, makeValue(member, name, generation)]);
  }
  const made = Object.fromEntries(members);
  return choose.percent(invalidPercent) ? withUnknownMember(choose, made) : made;
}

/** A value just outside a bound of the schema; without bounds, any value. */
function breakValue(schema: Schema, { choose }: GenerationOptions): unknown {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const outside = [
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : []),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
  ];
  if (outside.length > 0 && choose.percent(50)) return choose.pickAny(outside);
  if ([schema.type].flat().includes('string') && choose.percent(60)) return edgeCaseText(choose);
  return edgeCaseValue(choose);
}
