import { apiDiff, breaking } from 'api-smart-diff';
import { dereference } from './dereference.ts';

/** An API description (OpenAPI 3.1). */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly securitySchemes?: object };
  readonly [member: string]: unknown;
}

/** Members that do not change what the API accepts and returns. */
const annotations = new Set(['description', 'summary', 'examples', 'tags', 'servers', 'info']);

/** Member of operations that may change at any time (docs/conformance.md, 9.4). */
const betaMark = 'x-beta';

/**
 * The part of a description that must not change incompatibly: the operations that are not Beta,
 * without annotations.
 *
 * @param before Description of the last release, which decides whether an operation is Beta; the
 *   operation itself decides only if it is new.
 */
export function stablePartOf(description: ApiDescription, before = description): ApiDescription {
  const paths = Object.entries(description.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).filter(
        ([method, operation]) => !isBeta(before.paths[path]?.[method] ?? operation),
      ),
    ),
  ]);
  return withoutAnnotations({ ...description, paths: Object.fromEntries(paths) });
}

function isBeta(operation: unknown): boolean {
  return typeof operation === 'object' && operation !== null && betaMark in operation;
}

/** Copies a value without annotations. The names of properties and paths are not annotations. */
function withoutAnnotations<Value>(value: Value, areNames = false): Value {
  if (Array.isArray(value)) return value.map((item) => withoutAnnotations(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => areNames || !annotations.has(name))
    .map(([name, member]) => [
      name,
      withoutAnnotations(member, !areNames && (name === 'properties' || name === 'paths')),
    ]);
  return Object.fromEntries(members) as Value;
}

/**
 * Finds the changes that break clients (docs/conformance.md, 9.3): removed operations,
 * parameters and fields, changed types and defaults, and tightened validation. Compares what
 * references point to, because the names of components may change, and components may be shared with
 * Beta operations.
 *
 * @returns One line for each change.
 */
export async function breakingChanges(
  before: ApiDescription,
  after: ApiDescription,
): Promise<string[]> {
  const resolvedBefore = await withoutReferences(before);
  const resolvedAfter = await withoutReferences(after);
  const changes = apiDiff(
    stablePartOf(resolvedBefore),
    stablePartOf(resolvedAfter, resolvedBefore),
  );
  return changes
    .filter(({ type, action, path }) => {
      const isTypeChange = action === 'replace' && path.at(-1) === 'type';
      // `apiDiff` classifies some type changes as compatible. By docs/conformance.md, 9.3, all are breaking.
      return type === breaking || isTypeChange;
    })
    .map(({ description, path }) => {
      const [area, route = '', method = ''] = path.map(String);
      const place = area === 'paths' ? `${method.toUpperCase()} ${route}` : path.join('/');
      return `${place}: ${description ?? path.slice(3).join('/')}`;
    });
}

/** Replaces references by their targets, and omits the components that are then unused. */
async function withoutReferences(description: ApiDescription): Promise<ApiDescription> {
  const { components: { securitySchemes = {} } = {}, ...resolved } = await dereference(description);
  return { ...resolved, components: { securitySchemes } };
}
