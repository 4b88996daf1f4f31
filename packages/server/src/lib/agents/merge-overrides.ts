/** Changes to an agent's settings: the same shape, with only what changes. */
export type Overrides = Record<string, unknown>;

/**
 * Lays one set of settings over another, as JSON Merge Patch does (RFC 7396), but keeping nulls:
 * many settings are null by meaning. Lists are replaced whole. A model that names its provider is
 * replaced whole too, since the settings of one provider mean nothing to another.
 */
export function mergeOverrides(base: object, changes: object): Overrides {
  const merged: Overrides = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    const current = merged[key];
    const replaces = isPlain(value) && 'provider' in value;
    merged[key] =
      isPlain(value) && isPlain(current) && !replaces ? mergeOverrides(current, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
