import { fieldsOf, isObject } from '../json.ts';

type Target = Record<string, unknown> | boolean;

/** Keywords whose value is data that may look like a schema. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose value is a list of subschemas. */
const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Keywords whose value is a record of subschemas with any names. */
const recordKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Maximum characters of a resolved `$id`, the base of all references in its schema. */
const maximumIdLength = 2_048;

/** The base of references in a schema without an absolute `$id`. */
const defaultBase = 'https://schema.invalid/';

/**
 * Resolves the references of a JSON Schema: `$ref`, and `$dynamicRef` and `$recursiveRef` without their
 * dynamic scope. Each subschema is visited once; the library's own resolution visits a schema twice for
 * each `$id` around it.
 */
export class SchemaReferences {
  /** The schemas with an `$id` or an anchor, by their URI. */
  readonly #named = new Map<string, Record<string, unknown>>();
  readonly #targets = new Map<object, Target[]>();
  /** All subschemas. */
  readonly parts: ReadonlySet<Record<string, unknown>>;

  /** @throws Error If a reference has no target. */
  constructor(schema: Record<string, unknown>) {
    const bases = new Map<Record<string, unknown>, string>();
    this.#named.set(defaultBase, schema);
    this.#collect(schema, defaultBase, bases);
    // Also visits the schemas that are added while it runs.
    for (const [part, base] of bases) {
      const references = [part.$ref, part.$dynamicRef, part.$recursiveRef].filter(
        (reference) => typeof reference === 'string',
      );
      if (references.length === 0) continue;
      const targets = references.map((reference) => this.#resolve(reference, base));
      this.#targets.set(part, targets);
      // A pointer may lead to a place where subschemas are not expected.
      for (const target of targets) this.#collect(target, base, bases);
    }
    this.parts = new Set(bases.keys());
  }

  /** The schemas to which the references of a schema refer. */
  targetsOf(schema: object): readonly Target[] {
    return this.#targets.get(schema) ?? [];
  }

  /** Collects a schema and the schemas in it, with their base URIs. */
  #collect(part: unknown, outerBase: string, bases: Map<Record<string, unknown>, string>): void {
    if (!isObject(part) || bases.has(part)) return;
    const { $id, $anchor, $dynamicAnchor } = part;
    const base = typeof $id === 'string' ? new URL($id, outerBase).href : outerBase;
    if (base.length > maximumIdLength) {
      throw new Error(`an \`$id\` is longer than ${maximumIdLength} characters`);
    }
    if (typeof $id === 'string') this.#named.set(base.replace(/#$/, ''), part);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') this.#named.set(new URL(`#${anchor}`, base).href, part);
    }
    bases.set(part, base);
    for (const [keyword, value] of Object.entries(part)) {
      if (dataKeywords.has(keyword)) continue;
      if (listKeywords.has(keyword) && !Array.isArray(value)) {
        throw new Error(`\`${keyword}\` is not a list`);
      }
      const isRecord = recordKeywords.has(keyword) && isObject(value);
      const isList = (listKeywords.has(keyword) || keyword === 'items') && Array.isArray(value);
      const subschemas = isRecord || isList ? value : [value];
      for (const subschema of Object.values(subschemas)) this.#collect(subschema, base, bases);
    }
  }

  #resolve(reference: string, base: string): Target {
    const { href, hash } = new URL(reference, base);
    const resource = href.slice(0, href.length - hash.length).replace(/#$/, '');
    const named = this.#named.get(resource + hash);
    if (named) return named;
    const pointer = decodeURIComponent(hash.slice(1));
    let target: unknown = pointer.startsWith('/') ? this.#named.get(resource) : undefined;
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      target = Object.hasOwn(fieldsOf(target), key) ? fieldsOf(target)[key] : undefined;
    }
    if (typeof target === 'boolean' || isObject(target)) return target;
    throw new Error(`\`$ref\` names \`${reference}\`, which is not in the schema`);
  }
}
