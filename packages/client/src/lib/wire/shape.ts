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
  if (!isOfType(value, shape)) return path.slice(1) || 'value';
  if (typeof shape === 'string') return null;
  for (const name of Object.keys(isList(shape) ? Object(value) : shape)) {
    const field = name.replace('?', '');
    const inner = isList(shape) ? shape[0] : shape[name];
    const item = Object(value)[field];
    if (!inner || (name !== field && (item === undefined || item === null))) continue;
    const fault = findFault(item, inner, `${path}.${field}`);
    if (fault !== null) return fault;
  }
  return null;
}

function isOfType(value: unknown, shape: Shape): boolean {
  if (isList(shape)) return Array.isArray(value);
  if (typeof shape === 'string' && shape !== 'object') return typeof value === shape;
  return isRecord(value);
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
