import { hasServiceWorker } from '../http/uncached.ts';
import { type Finding, okFinding, skippedFinding, warningFinding } from './findings.ts';

/** Built-in functions that libraries are known to replace, with a test of the standard behaviour. */
const builtIns: Readonly<Record<string, () => boolean>> = {
  'Array.prototype.toJSON': () => !('toJSON' in Array.prototype),
  'Object.prototype.toJSON': () => !('toJSON' in Object.prototype),
  'JSON.stringify': () => JSON.stringify({ a: { b: null } }) === '{"a":{"b":null}}',
  'JSON.parse': () => Object.keys(JSON.parse('{"a":1}')).join() === 'a',
  'Object.keys': () => Object.keys(Object.create({ inherited: 1 })).length === 0,
  'Array.from': () => Array.from({ length: 2 }, (_, index) => index).join() === '0,1',
  'Array.prototype.reduce': () => [1, 2].reduce((sum, value) => sum + value, 3) === 6,
  'Array.prototype.map': () => ['a'].map((text, index) => text + index).join() === 'a0',
  'Array.prototype.filter': () => [1, 2].filter((value) => value > 1).join() === '2',
  'Array.prototype.find': () => [1, 2].find((value) => value > 1) === 2,
  'Array.prototype.includes': () => [1].includes(1) && ![1].includes(2),
  'Array.prototype.entries': () => [...['a'].entries()].join() === '0,a',
  'String.prototype.startsWith': () => 'ab'.startsWith('b', 1),
  'String.prototype.endsWith': () => 'ab'.endsWith('a', 1),
  'String.prototype.replaceAll': () => 'aa'.replaceAll('a', 'b') === 'bb',
  'Function.prototype.bind': () => Math.max.bind(undefined) !== Math.max,
  Promise: () => isNative(Promise) || Promise.resolve().constructor === Promise,
};

/** Checks whether scripts of the page replace built-in functions or wrap those of the network. */
export function checkPage(): Finding {
  if (typeof document === 'undefined') return skippedFinding('There is no page.');
  const replaced = Object.keys(builtIns).filter((name) => !isStandard(name));
  const facts = {
    ...libraryVersions(),
    serviceWorker: hasServiceWorker(),
    wrapped: ['fetch', 'XMLHttpRequest', 'WebSocket']
      .filter((name) => !isNative(Reflect.get(globalThis, name)))
      .join(', '),
  };
  if (replaced.length === 0) {
    return okFinding('No script of the page changes the built-in functions of the browser.', facts);
  }
  return warningFinding(
    `A script of the page changes ${replaced.join(', ')}. Parts of the chat may not work.`,
    'Update or remove the library that does so. Prototype.js does it before version 1.7.3, MooTools before version 1.6.',
    facts,
  );
}

function isStandard(name: string): boolean {
  try {
    return builtIns[name]?.() ?? true;
  } catch {
    // The page's replacement throws.
    return false;
  }
}

/** Versions of libraries that are known to change built-in functions. */
function libraryVersions(): Record<string, string> {
  return Object.fromEntries(
    [
      ['Prototype', 'Version'],
      ['MooTools', 'version'],
    ].flatMap(([library = '', member = '']) => {
      const version: unknown = Object(Reflect.get(globalThis, library))[member];
      return typeof version === 'string' && /^[\w.-]{1,20}$/.test(version)
        ? [[library, version]]
        : [];
    }),
  );
}

function isNative(value: unknown): boolean {
  return (
    typeof value === 'function' && /\[native code\]/.test(Function.prototype.toString.call(value))
  );
}
