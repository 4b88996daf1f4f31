import fc from 'fast-check';
import type { Schema } from './document.ts';
import { edgeCaseText, edgeCaseValue, withUnknownMember } from './edge-cases.ts';

/** Ids and credentials of existing resources, by the names of fields and parameters. */
export type Fixtures = Readonly<Record<string, string>>;

export interface GenerationOptions {
  /** Returns the current fixtures. */
  fixtures: () => Fixtures;
  /** Percentage of values that do not match their schema. */
  invalidPercent: number;
}

/** Generates usual values and, with the given probability, unusual ones. They shrink to usual ones. */
export function rarely<Usual, Unusual>(
  percent: number,
  unusual: fc.Arbitrary<Unusual>,
  usual: fc.Arbitrary<Usual>,
): fc.Arbitrary<Usual | Unusual> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - percent, arbitrary: usual },
    { weight: percent, arbitrary: unusual },
  );
}

/** Generates values for a schema, some of them invalid. */
export function valueFor(
  schema: Schema,
  name: string,
  generation: GenerationOptions,
): fc.Arbitrary<unknown> {
  return rarely(
    generation.invalidPercent,
    invalidValue(schema),
    validValue(schema, name, generation),
  );
}

function validValue(
  schema: Schema,
  name: string,
  generation: GenerationOptions,
): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return fc.oneof(...variants.map((each) => valueFor(each, name, generation)));
  const types = [schema.type ?? 'any'].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, name, generation)));
}

function valueOfType(
  type: string,
  schema: Schema,
  name: string,
  generation: GenerationOptions,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textFor(schema, name, generation);
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(Math.ceil(schema.minimum ?? 0), -1000),
        max: Math.min(Math.floor(schema.maximum ?? 1000), 1_000_000),
      });
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const minLength = schema.minItems ?? 0;
      const items = valueFor(schema.items ?? {}, name, generation);
      return fc.array(items, { minLength, maxLength: Math.max(minLength, 2) });
    }
    case 'object':
      return objectFor(schema, generation);
    default:
      return fc.constantFrom<unknown>(null, 'text', 1, {});
  }
}

function textFor(
  { minLength = 0, maxLength = 12 }: Schema,
  name: string,
  { fixtures }: GenerationOptions,
): fc.Arbitrary<string> {
  const length = Math.max(minLength, Math.min(maxLength, 12));
  const plain = 'abcdefghijkl'.padEnd(length, 'm').slice(0, length);
  const existing = () => (Object.hasOwn(fixtures(), name) ? fixtures()[name] : undefined) ?? plain;
  return rarely(10, fc.constant(plain), fc.constant(null).map(existing));
}

function objectFor(
  { properties = {}, required = [] }: Schema,
  generation: GenerationOptions,
): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valueFor(member, name, generation)]),
  );
  const complete = fc.record(members, {
    requiredKeys: required.filter((name) => name in members),
    noNullPrototype: true,
  });
  const incomplete = fc.record(members, { requiredKeys: [], noNullPrototype: true });
  const { invalidPercent } = generation;
  return rarely(
    invalidPercent,
    withUnknownMember(complete),
    rarely(invalidPercent, incomplete, complete),
  );
}

/** Values at and just outside the bounds of a schema, and values of any type. */
function invalidValue(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const outside = [
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : []),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
  ];
  const isText = [schema.type].flat().includes('string');
  const any = isText ? fc.oneof(edgeCaseText, edgeCaseValue) : edgeCaseValue;
  return outside.length === 0 ? any : fc.oneof(fc.constantFrom<unknown>(...outside), any);
}
