import { isObject } from '../json.ts';

/** Changes of an agent's settings: the same shape, with only the changed members. */
export type Overrides = Record<string, unknown>;

/**
 * Merges changes into settings, as JSON Merge Patch does (RFC 7396), except that nulls are kept,
 * because null is a valid value of many settings. A list replaces the whole current list. A change
 * with a `provider` replaces the whole model, because providers do not share settings.
 */
export function mergeOverrides(base: object, changes: object): Overrides {
  const merged: Overrides = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    const current = merged[key];
    const replaces = isObject(value) && 'provider' in value;
    merged[key] =
      isObject(value) && isObject(current) && !replaces ? mergeOverrides(current, value) : value;
  }
  return merged;
}
