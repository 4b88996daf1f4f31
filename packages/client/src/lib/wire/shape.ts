/**
 * What a value from the wire must have for this client to work with it: a type by name, a list of
 * shapes, or an object of shapes. A name that ends with `?` may be missing or null. Fields that a
 * shape does not name pass.
 *
 * The protocol's schemas say the same and more. They are the server's: a page that loads the client
 * should not pay for a schema library to read a dozen fields. A test holds the two together.
 */
export type Shape = 'string' | 'number' | 'boolean' | 'object' | readonly [Shape] | ShapeFields;
export interface ShapeFields {
  readonly [name: string]: Shape;
}

/** Where a value does not have the shape, as a path of field names; null if it has. */
export function findFault(value: unknown, shape: Shape, path = ''): string | null {
  if (typeof shape === 'string') {
    const fits = shape === 'object' ? isRecord(value) : typeof value === shape;
    return fits ? null : path || 'value';
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return path || 'value';
    return firstFault(value.entries(), ([index, item]) => [item, shape[0], `${path}.${index}`]);
  }
  if (!isRecord(value)) return path || 'value';
  return firstFault(Object.entries(shape), ([name, inner]) => {
    const field = name.replace('?', '');
    const missing = name !== field && (value[field] === undefined || value[field] === null);
    return missing ? null : [value[field], inner, path ? `${path}.${field}` : field];
  });
}

function firstFault<Item>(
  items: Iterable<Item>,
  open: (item: Item) => readonly [unknown, Shape, string] | null,
): string | null {
  for (const item of items) {
    const next = open(item);
    const fault = next && findFault(...next);
    if (fault !== null) return fault;
  }
  return null;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
