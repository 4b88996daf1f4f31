import { isObject } from '../../json.ts';

type Members = Record<string, unknown>;

/** Strings that arrive in fragments. Other strings may be repeated in each fragment. */
const textNames = new Set([
  ...['text', 'content', 'summary', 'thinking', 'data', 'arguments'],
  ...['reasoning', 'reasoning_content', 'reasoning_text'],
]);

/**
 * Adds the members of a fragment to an object that is streamed in fragments: strings are joined, objects
 * and the elements of lists with the same `index` are merged, and other values are replaced.
 */
export function mergeMembers(target: Members, fragment: Readonly<Members>): void {
  for (const [name, value] of Object.entries(fragment)) {
    if (value === null || value === undefined) continue;
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    // `defineProperty`, because an assignment to `__proto__` would replace the prototype.
    Object.defineProperty(target, name, {
      value: mergeValues(name, before, value),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}

function mergeValues(name: string, before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') {
    return before === value && !textNames.has(name) ? before : before + value;
  }
  if (Array.isArray(value)) {
    const list: unknown[] = Array.isArray(before) ? before : [];
    for (const element of value) addElement(list, element);
    return list;
  }
  if (!isObject(value)) return value;
  const members: Members = isObject(before) ? before : {};
  mergeMembers(members, value);
  return members;
}

/** Merges an element into the last one of the list if both are parts of the same text. */
function addElement(list: unknown[], element: unknown): void {
  const last = list.at(-1);
  if (isObject(element) && isObject(last) && isSamePart(last, element)) {
    mergeMembers(last, element);
    return;
  }
  list.push(mergeValues('', undefined, element));
}

function isSamePart(last: Members, next: Members): boolean {
  if (last.type !== next.type) return false;
  if (last.id != null && next.id != null && last.id !== next.id) return false;
  if (next.index !== undefined || last.index !== undefined) return next.index === last.index;
  return ['text', 'thinking', 'summary'].some(
    (name) =>
      (typeof last[name] === 'string' && typeof next[name] === 'string') ||
      (Array.isArray(last[name]) && Array.isArray(next[name])),
  );
}
