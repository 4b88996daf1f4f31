import type { Operation, Schema } from '../requests/document.ts';

/** A location in a JSON body. `path` has the member names and indexes. */
export interface BodyLocation {
  path: readonly (string | number)[];
  kind: 'text' | 'list';
  /** The surrounding body, which is otherwise valid, so that the location is parsed. */
  body: unknown;
}

/** Maximum depth, because schemas of cards are recursive. */
const maxDepth = 6;

/** Lists the strings and lists of an operation's body, each with the smallest valid body around it. */
export function locationsOf({ body }: Operation): BodyLocation[] {
  if (body?.type !== 'application/json') return [];
  return locationsIn(body.schema, [], (inner) => inner);
}

function locationsIn(
  schema: Schema,
  path: BodyLocation['path'],
  around: (inner: unknown) => unknown,
): BodyLocation[] {
  if (path.length > maxDepth) return [];
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.flatMap((variant) => locationsIn(variant, path, around));
  const types = [schema.type ?? []].flat();
  if ('const' in schema || schema.enum) return [];
  if (types.includes('string')) return [{ path, kind: 'text', body: around(null) }];
  if (types.includes('array')) {
    const list: BodyLocation = { path, kind: 'list', body: around([]) };
    const items = locationsIn(schema.items ?? {}, [...path, 0], (inner) => around([inner]));
    return [list, ...items];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    locationsIn(member, [...path, name], (inner) =>
      around({ ...requiredOf(schema), [name]: inner }),
    ),
  );
}

/** The smallest value that matches a schema. */
function smallestValue(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const variant = (schema.anyOf ?? schema.oneOf)?.[0];
  if (variant) return smallestValue(variant);
  const [type] = [schema.type ?? []].flat();
  if (type === 'string') return 'x'.repeat(Math.max(schema.minLength ?? 0, 1));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'array') return Array(schema.minItems ?? 0).fill(smallestValue(schema.items ?? {}));
  if (type === 'object') return requiredOf(schema);
  return null;
}

function requiredOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, smallestValue(properties[name] ?? {})]));
}

/** Sets the value at the location, and returns the body. */
export function fill({ path, body }: BodyLocation, value: unknown): unknown {
  return withValueAt(body, path, value);
}

function withValueAt(
  target: unknown,
  [step, ...rest]: BodyLocation['path'],
  value: unknown,
): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((item, index) => (index === step ? withValueAt(item, rest, value) : item));
  }
  const object = target as Record<string, unknown>;
  return { ...object, [step]: withValueAt(object[step], rest, value) };
}
