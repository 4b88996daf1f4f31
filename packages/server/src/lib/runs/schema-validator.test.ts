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

/**
 * Random schemas with up to four keywords.
 *
 * @param group Keywords besides those that both groups have. Together they would give other results: the
 *   library also counts members that adjacent keywords have evaluated.
 */
const schemaWith = (group: 'unevaluated' | 'others', references: readonly string[]) =>
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
    if (group === 'others') {
      delete keywords.unevaluatedProperties;
      delete keywords.unevaluatedItems;
      const names = fc.array(key, { maxLength: 2 });
      Object.assign(keywords, {
        maximum: number,
        exclusiveMinimum: number,
        exclusiveMaximum: number,
        multipleOf: fc.integer({ min: 1, max: 3 }),
        minLength: number,
        maxItems: number,
        minProperties: number,
        maxProperties: number,
        dependentRequired: fc.dictionary(key, names, { maxKeys: 2 }),
        dependencies: fc.dictionary(key, fc.oneof(any, names), { maxKeys: 2 }),
        items: fc.oneof(any, list),
        additionalItems: any,
        minContains: number,
        maxContains: number,
      });
    }
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
  it.each([
    ['`unevaluatedProperties` and `unevaluatedItems`', 'unevaluated'],
    ['all other keywords', 'others'],
  ] as const)('agrees with the library about random schemas with %s', (_, group) => {
    const property = fc.property(
      schemaWith(group, ['#/$defs/a', '#b']),
      schemaWith(group, []),
      schemaWith(group, []),
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

  it('validates quickly only if a step takes constant time', () => {
    const anyOf = Array.from({ length: 100 }, () => ({ maxLength: 1 }));
    const validator = new SchemaValidator({ properties: { name: { anyOf } } }, 1);

    expect(validator.validateQuickly({ name: 'ab' })).toHaveLength(1);
    expect(validator.validateQuickly({ name: 'ab'.repeat(50_000) })).toBeNull();
  });

  it('follows `$dynamicRef` to its anchor', () => {
    const schema = { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } };
    const validator = new SchemaValidator({ ...schema, required: ['id'] }, 10);

    expect(validator.validate({ id: 1, next: { id: 2 } })).toEqual([]);
    expect(validator.validate({ id: 1, next: {} })).toHaveLength(1);
  });

  it.each([
    [
      'nested identifiers that are long together',
      [1, 2, 3].reduce<object>((not) => ({ $id: `${'x'.repeat(1_000)}/`, not }), {}),
      'an `$id` is longer than 2048 characters',
    ],
    ['an unresolved `$dynamicRef`', { $dynamicRef: '#node' }, 'names `#node`'],
    ['one schema in place of a list', { items: { allOf: {} } }, '`allOf` is not a list'],
  ])('rejects a schema with %s', (_, schema, message) => {
    expect(() => new SchemaValidator({ ...schema }, 10)).toThrow(message);
  });
});
