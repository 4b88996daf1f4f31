import type { Operation, Schema } from '../requests/document.ts';

/** A place in a JSON body, by the names and indexes that lead to it. */
export interface Place {
  path: readonly (string | number)[];
  kind: 'text' | 'list';
  /** The body around the place, valid otherwise so that the place is reached. */
  body: unknown;
}

/** Levels that are looked at: schemas of cards contain themselves. */
const deepest = 6;

/** Every text and list of an operation's body, each with the smallest body around it. */
export function placesOf({ body }: Operation): Place[] {
  if (body?.type !== 'application/json') return [];
  return within(body.schema, [], (inner) => inner);
}

function within(schema: Schema, path: Place['path'], around: (inner: unknown) => unknown): Place[] {
  if (path.length > deepest) return [];
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.flatMap((variant) => within(variant, path, around));
  const types = [schema.type ?? []].flat();
  if ('const' in schema || schema.enum) return [];
  if (types.includes('string')) return [{ path, kind: 'text', body: around(null) }];
  if (types.includes('array')) {
    const list: Place = { path, kind: 'list', body: around([]) };
    const items = within(schema.items ?? {}, [...path, 0], (inner) => around([inner]));
    return [list, ...items];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    within(member, [...path, name], (inner) => around({ ...requiredOf(schema), [name]: inner })),
  );
}

/** The smallest value that a schema admits, as far as its bounds are read here. */
function smallest(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const variant = (schema.anyOf ?? schema.oneOf)?.[0];
  if (variant) return smallest(variant);
  const [type] = [schema.type ?? []].flat();
  if (type === 'string') return 'x'.repeat(Math.max(schema.minLength ?? 0, 1));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'array') return Array(schema.minItems ?? 0).fill(smallest(schema.items ?? {}));
  if (type === 'object') return requiredOf(schema);
  return null;
}

function requiredOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {})]));
}

/** The body with a value at the place. */
export function fill({ path, body }: Place, value: unknown): unknown {
  return put(body, path, value);
}

function put(target: unknown, [step, ...rest]: Place['path'], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((item, at) => (at === step ? put(item, rest, value) : item));
  }
  const object = target as Record<string, unknown>;
  return { ...object, [step]: put(object[step], rest, value) };
}
