import type { Chooser } from './chooser.ts';
import type { Schema } from './document.ts';
import { strangeText, strangeValue, withStrangeMember } from './strange.ts';

/** Values of the store that make a request mean something, by the names of fields and parameters. */
export type Known = Readonly<Record<string, string>>;

export interface Making {
  choose: Chooser;
  known: Known;
  /** Of a hundred values, how many break their schema. */
  wild: number;
}

/** A value of a schema, broken here and there. Undefined stands for a field that is left out. */
export function makeValue(schema: Schema, name: string, making: Making): unknown {
  const { choose, wild } = making;
  if (choose.percent(wild)) return breakValue(schema, making);
  if ('const' in schema) return schema.const;
  if (schema.enum) return choose.pickAny(schema.enum);
  const variant = choose.pickAny(schema.anyOf ?? schema.oneOf ?? []);
  if (variant) return makeValue(variant, name, making);
  const type = [schema.type ?? []].flat();
  switch (choose.pickAny(type)) {
    case 'string':
      return makeText(schema, name, making);
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
        makeValue(schema.items ?? {}, name, making),
      );
    case 'object':
      return makeObject(schema, making);
    default:
      return choose.pick([null, 'text', 1, {}]);
  }
}

function makeText(schema: Schema, name: string, { choose, known }: Making): string {
  const meant = Object.hasOwn(known, name) ? known[name] : undefined;
  if (meant !== undefined && choose.percent(90)) return meant;
  const length = Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 12, 12));
  return 'abcdefghijkl'.padEnd(length, 'm').slice(0, length);
}

function makeObject(schema: Schema, making: Making): object {
  const { choose, wild } = making;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name);
    if (isRequired ? choose.percent(wild) : choose.percent(60)) continue;
    members.push([name, makeValue(member, name, making)]);
  }
  const made = Object.fromEntries(members);
  return choose.percent(wild) ? withStrangeMember(choose, made) : made;
}

/** Just outside of a bound, where the schema has one; otherwise anything. */
function breakValue(schema: Schema, { choose }: Making): unknown {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const outside = [
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : []),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
  ];
  if (outside.length > 0 && choose.percent(50)) return choose.pickAny(outside);
  if ([schema.type].flat().includes('string') && choose.percent(60)) return strangeText(choose);
  return strangeValue(choose);
}
