import fc from 'fast-check';

/** Strings that often cause errors. */
const edgeCaseTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066',
  '\uFEFFx',
  '🏳️‍🌈👩‍👩‍👧‍👦',
  'ｅ́'.repeat(40),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '../../etc/passwd',
  '%2e%2e%2f',
  "' or 1=1 --",
  '%_\\',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$where',
  'a\r\nx-injected: 1',
  'agt_',
  'ses_',
  'emb_',
  'et_',
  'x'.repeat(129),
  'x'.repeat(513),
  'ü'.repeat(4097),
];

/** Member names that often cause errors. */
const edgeCaseNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '\0',
  'x'.repeat(300),
];

export const edgeCaseText = fc.oneof(
  { weight: 98, arbitrary: fc.constantFrom(...edgeCaseTexts) },
  { weight: 2, arbitrary: fc.constantFrom(8193, 65_537, 300_000).map((size) => 'x'.repeat(size)) },
);

const edgeCaseNumber = fc.constantFrom(
  ...[0, -1, 1.5, -0, 1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e-320],
);

const manyMembers = Object.fromEntries(
  Array.from({ length: 500 }, (_, index) => [`k${index}`, index]),
);

/** A value of any JSON type, often an unusual one. */
export const edgeCaseValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: edgeCaseText },
  { weight: 3, arbitrary: edgeCaseNumber },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom(10, 63, 64, 65, 500).map(deeplyNested) },
  { weight: 1, arbitrary: fc.constant(manyMembers) },
  { weight: 1, arbitrary: withUnknownMember(fc.record({ type: edgeCaseText })) },
);

/** Adds a member that the schema of the object does not have. */
export function withUnknownMember(object: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(object, fc.constantFrom(...edgeCaseNames), edgeCaseText)
    .map(([known, name, value]) =>
      // Defined as by `JSON.parse`, because assigning to `__proto__` would not create a member.
      Object.defineProperty({ ...known }, name, { value, enumerable: true }),
    );
}

function deeplyNested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? { a: value } : [value];
  return value;
}
