import { Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaValidator } from './schema-validator.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 2.5, '', 'a', 'bb'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'cc'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const number = fc.nat(3);
const key = fc.constantFrom('a', 'b', 'cc');

/** Random schemas with up to four keywords. */
const schemaWith = (references: readonly string[]) =>
  fc.letrec<{ any: object | boolean; object: object }>((tie) => {
    const any = tie('any');
    const record = fc.dictionary(key, any, { maxKeys: 2 });
    const list = fc.array(any, { minLength: 1, maxLength: 3 });
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.constantFrom('string', 'integer', 'array', 'object', ['null', 'number']),
      const: value,
      enum: fc.array(value, { minLength: 1, maxLength: 3 }),
      minimum: number,
      maxLength: number,
      pattern: fc.constantFrom('^a', 'b$'),
      minItems: number,
      uniqueItems: fc.boolean(),
      required: fc.array(key, { maxLength: 2 }),
      properties: record,
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'c'), any, { maxKeys: 2 }),
      additionalProperties: any,
      unevaluatedProperties: any,
      propertyNames: any,
      dependentSchemas: record,
      prefixItems: list,
      items: any,
      contains: any,
      unevaluatedItems: any,
      not: any,
      anyOf: list,
      allOf: list,
      oneOf: list,
      if: any,
      else: any,
      ...(references.length > 0 && { $ref: fc.constantFrom(...references) }),
    };
    const named = [...Object.entries(keywords), ['then', any] as const];
    const entries = named.map(([keyword, arbitrary]) =>
      arbitrary.map((content) => [keyword, content] as const),
    );
    return {
      any: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('object')),
      object: fc.array(fc.oneof(...entries), { maxLength: 4 }).map(Object.fromEntries),
    };
  }).object;

describe('the validator', () => {
  it('agrees with the library about random schemas and values', () => {
    const property = fc.property(
      schemaWith(['#/$defs/a', '#b']),
      schemaWith([]),
      schemaWith([]),
      value,
      (root, a, b, instance) => {
        const whole = { ...root, $defs: { a, b: { ...b, $anchor: 'b' } } };
        const text = JSON.stringify(whole);
        const { valid } = new Validator(JSON.parse(text), '2020-12', false).validate(instance);
        const errors = new SchemaValidator(JSON.parse(text), 10).validate(instance);
        expect(errors.length === 0).toBe(valid);
      },
    );
    fc.assert(property, { numRuns: 2000, seed: 1 });
  });
});
