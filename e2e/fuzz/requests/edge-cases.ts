import type { Chooser } from './chooser.ts';

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
] as const satisfies readonly [string, ...string[]];

/** Names of built-in properties of JavaScript objects. */
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '\0',
  'x'.repeat(300),
] as const;

export function edgeCaseText(choose: Chooser): string {
  if (choose.percent(2)) return 'x'.repeat(choose.pick([8193, 65_537, 300_000]));
  return choose.pick(edgeCaseTexts);
}

/** A random value of any type. */
export function edgeCaseValue(choose: Chooser): unknown {
  const kind = choose.between(0, 9);
  if (kind < 3) return edgeCaseText(choose);
  if (kind < 6) {
    return choose.pick([0, -1, 1.5, -0, 1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e-320]);
  }
  if (kind < 8) return choose.pick([null, true, false, [], {}, [null], [[]], { a: {} }]);
  if (kind === 8) return deep(choose.pick([10, 63, 64, 65, 500]));
  return edgeCaseObject(choose);
}

/** Adds an unknown member. */
export function withUnknownMember(choose: Chooser, object: object): object {
  const copy = { ...object };
  // Defined as by `JSON.parse`, because assigning to `__proto__` would not create a member.
  Object.defineProperty(copy, choose.pick(names), {
    value: edgeCaseText(choose),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

function edgeCaseObject(choose: Chooser): object {
  if (choose.percent(20)) {
    return Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
  }
  return withUnknownMember(choose, { type: edgeCaseText(choose) });
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? { a: value } : [value];
  return value;
}
