/**
 * The expected shape of a JSON value: a type name, `[shape]` for a list of values of that shape, or
 * shapes by field name. A field whose name ends with `?` may be missing or null. Other fields are
 * accepted.
 *
 * Browsers use shapes instead of the schemas, because a schema library would be larger than the
 * rest of the client. The tests of `readEvent` check that shapes and schemas agree.
 */
export type Shape = 'string' | 'number' | 'boolean' | 'object' | readonly [Shape] | ShapeFields;
export interface ShapeFields {
  readonly [name: string]: Shape;
}

/** The fields of a session that a client needs. */
export const sessionShape: Shape = {
  id: 'string',
  status: 'string',
  'title?': 'string',
  metadata: 'object',
};

/** Finds the first field that does not match. Returns its path, such as `content.0.type`, or null. */
export function findFault(value: unknown, shape: Shape, path = ''): string | null {
  if (!isOfType(value, shape)) return path.slice(1) || 'value';
  if (typeof shape === 'string') return null;
  // Prototype.js replaces `Object.keys`, which then also returns the methods that it gives arrays.
  for (const [name, entry] of Object.entries<Shape>(isList(shape) ? Object(value) : shape)) {
    const field = name.replace('?', '');
    const itemShape = isList(shape) ? shape[0] : entry;
    const item = Object(value)[field];
    if (name !== field && (item === undefined || item === null)) continue;
    const fault = findFault(item, itemShape, `${path}.${field}`);
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

/** Whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
