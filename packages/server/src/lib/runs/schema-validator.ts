import { type Schema as Keywords, validate } from '@cfworker/json-schema';
import { canonicalJson } from '@inlay/protocol/input-hash';
import { fieldsOf, isObject } from '../json.ts';
import { SchemaReferences } from './schema-references.ts';

/** The keywords of JSON Schema that look at a value without applying a subschema. */
const assertions = [
  'type',
  'const',
  'enum',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
] as const;

/** The keywords that apply subschemas to the same value, except references. */
const inPlace = [
  'not',
  'anyOf',
  'allOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
] as const;

/** The kinds of keywords of a schema, determined once because it may be applied to thousands of items. */
interface Plan {
  /** The assertions of the schema; null for none. */
  readonly asserted: Keywords | null;
  readonly appliesInPlace: boolean;
}

/** Maximum number of times that `validateQuickly` applies a schema to a value: about 2 ms. */
const quickSteps = 2_000;
/** The same number times the characters of the value, because a step may read all of them. */
const quickCharacters = 1_000_000;

/** Ends a quick validation. */
class NotQuickError extends Error {}

/** The result of a schema for one value. */
interface Outcome {
  /** One line for each error, at most `maximumErrors`; empty if the value is valid. */
  readonly errors: readonly string[];
  /** Names and indexes of the members that the schema has evaluated, for `unevaluated…`. */
  readonly evaluated: ReadonlySet<string>;
}

/**
 * Validates values against a JSON Schema (2020-12, with `dependencies`, `additionalItems` and
 * `$recursiveRef` of earlier drafts). The library checks the assertions. The subschemas are applied
 * here, because each value is checked only once against the target of a reference: without that, the
 * time is exponential in the depth of recursive unions and of chained references.
 */
export class SchemaValidator {
  readonly #schema: unknown;
  readonly #references: SchemaReferences;
  readonly #maximumErrors: number;
  readonly #plans = new Map<object, Plan>();
  /** Whether members that were evaluated are recorded, which only two keywords need. */
  readonly #recordsMembers: boolean;
  /** Steps that are left, in which no regular expression is executed; null for a full validation. */
  #stepsLeft: number | null = null;
  /** Outcomes by the target of a reference and the location; null while one is computed. */
  #outcomes = new Map<object, Map<string, Outcome | null>>();

  /**
   * @param maximumErrors Maximum number of errors that are described.
   * @throws Error If a reference has no target.
   */
  constructor(schema: Readonly<Record<string, unknown>>, maximumErrors: number) {
    this.#schema = schema;
    this.#references = new SchemaReferences(schema);
    this.#maximumErrors = maximumErrors;
    this.#recordsMembers = [...this.#references.parts].some(
      (part) => 'unevaluatedProperties' in part || 'unevaluatedItems' in part,
    );
  }

  /** All subschemas. */
  get parts(): ReadonlySet<Readonly<Record<string, unknown>>> {
    return this.#references.parts;
  }

  /**
   * Returns one line for each error, with the location of the value; empty if the value is valid.
   *
   * @throws Error For a pattern that is no regular expression, and for a reference to itself.
   */
  validate(value: unknown): readonly string[] {
    return this.#validate(value, null);
  }

  /**
   * Does the same if that takes few steps and no regular expression, which may take exponential time.
   * Otherwise returns null.
   */
  validateQuickly(value: unknown): readonly string[] | null {
    const steps = Math.min(quickSteps, quickCharacters / JSON.stringify(value).length);
    try {
      return this.#validate(value, steps);
    } catch (error) {
      if (error instanceof NotQuickError) return null;
      throw error;
    }
  }

  #validate(value: unknown, steps: number | null): readonly string[] {
    // Replaced at the start, too: a time limit may have ended the previous validation.
    this.#outcomes = new Map();
    this.#stepsLeft = steps;
    const { errors } = this.#apply(this.#schema, value, '');
    this.#outcomes = new Map();
    return errors;
  }

  #requireQuick(isQuick: boolean): void {
    if (this.#stepsLeft !== null && !isQuick) throw new NotQuickError();
  }

  #apply(schema: unknown, value: unknown, location: string): Outcome {
    const outcome = new Collector(this.#maximumErrors, this.#recordsMembers);
    if (schema === false) outcome.fail(location, 'No value is allowed here.');
    if (this.#stepsLeft !== null) this.#requireQuick(--this.#stepsLeft > 0);
    if (!isObject(schema)) return outcome;
    const keywords: Keywords = schema;
    for (const target of this.#references.targetsOf(schema)) {
      outcome.include(this.#applyTarget(target, value, location));
    }
    const plan = this.#planOf(keywords);
    this.#assert(keywords, plan, { value, location, outcome });
    if (plan.appliesInPlace) this.#applyInPlace(keywords, value, location, outcome);
    if (Array.isArray(value)) this.#applyToItems(keywords, value, location, outcome);
    else if (isObject(value)) this.#applyToProperties(keywords, value, location, outcome);
    return outcome;
  }

  #applyTarget(target: object | boolean, value: unknown, location: string): Outcome {
    if (typeof target === 'boolean') return this.#apply(target, value, location);
    const outcomes = this.#outcomes.get(target) ?? new Map<string, Outcome | null>();
    this.#outcomes.set(target, outcomes);
    const known = outcomes.get(location);
    if (known) return known;
    if (known === null) throw new Error('a `$ref` refers to itself without end');
    outcomes.set(location, null);
    const outcome = this.#apply(target, value, location);
    outcomes.set(location, outcome);
    return outcome;
  }

  #planOf(schema: Keywords): Plan {
    const known = this.#plans.get(schema);
    if (known) return known;
    const entries = assertions.flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [[keyword, schema[keyword]] as const],
    );
    const plan = {
      asserted: entries.length > 0 ? Object.fromEntries(entries) : null,
      appliesInPlace: inPlace.some((keyword) => schema[keyword] !== undefined),
    };
    this.#plans.set(schema, plan);
    return plan;
  }

  #assert(
    schema: Keywords,
    { asserted }: Plan,
    { value, location, outcome }: { value: unknown; location: string; outcome: Collector },
  ): void {
    if (asserted) {
      const hasExpression = asserted.pattern !== undefined || asserted.format !== undefined;
      this.#requireQuick(!hasExpression || typeof value !== 'string');
      const { errors } = validate(value, asserted, '2020-12', {}, false);
      for (const { error } of errors) outcome.fail(location, error);
    }
    if (schema.uniqueItems === true && Array.isArray(value)) {
      // The library compares each item with each other.
      const texts = new Set(value.map(canonicalJson));
      if (texts.size < value.length) outcome.fail(location, 'Duplicate items.');
    }
  }

  /** Applies the subschemas that apply to the same value. */
  #applyInPlace(schema: Keywords, value: unknown, location: string, outcome: Collector): void {
    const apply = (subschema: unknown) => this.#apply(subschema, value, location);
    const isIn = (key: string) => isObject(value) && Object.hasOwn(value, key);
    if (schema.not !== undefined && apply(schema.not).errors.length === 0) {
      outcome.fail(location, 'Instance matched "not" schema.');
    }
    const combinations = [
      ['anyOf', (valid: number) => valid > 0, 'Instance does not match any subschemas.'],
      [
        'allOf',
        (valid: number, all: number) => valid === all,
        'Instance does not match every subschema.',
      ],
      ['oneOf', (valid: number) => valid === 1, 'Instance does not match exactly one subschema'],
    ] as const;
    for (const [keyword, isEnough, message] of combinations) {
      const subschemas = schema[keyword];
      if (subschemas === undefined) continue;
      const outcomes = subschemas.map(apply);
      const valid = outcomes.filter(({ errors }) => errors.length === 0);
      for (const { evaluated } of valid) outcome.markAll(evaluated);
      if (isEnough(valid.length, outcomes.length)) continue;
      outcome.fail(location, keyword === 'oneOf' ? `${message} (${valid.length}).` : message);
      for (const { errors } of outcomes) outcome.addErrors(errors);
    }
    if (schema.if !== undefined) {
      const condition = apply(schema.if);
      const matches = condition.errors.length === 0;
      if (matches) outcome.markAll(condition.evaluated);
      const branch = matches ? schema.then : schema.else;
      if (branch !== undefined) outcome.include(apply(branch));
    }
    for (const [key, subschema] of Object.entries(fieldsOf(schema.dependentSchemas))) {
      if (isIn(key)) outcome.include(apply(subschema));
    }
    for (const [key, dependency] of Object.entries(fieldsOf(schema.dependencies))) {
      if (!isIn(key)) continue;
      if (!Array.isArray(dependency)) outcome.include(apply(dependency));
      else if (!dependency.every(isIn)) {
        outcome.fail(
          location,
          `Instance has "${key}" but not all of "${dependency.join('", "')}".`,
        );
      }
    }
  }

  #applyToProperties(
    schema: Keywords,
    value: Record<string, unknown>,
    location: string,
    outcome: Collector,
  ): void {
    const own = new Set<string>();
    const applyTo = (key: string, subschema: unknown) => {
      own.add(key);
      const at = `${location}/${encodePointer(key)}`;
      outcome.addErrors(this.#apply(subschema, value[key], at).errors);
    };
    if (schema.propertyNames !== undefined) {
      for (const key of Object.keys(value)) {
        // No property has this location, because a `~` of a name is encoded.
        const at = `${location}/${encodePointer(key)} ~(name)`;
        outcome.addErrors(this.#apply(schema.propertyNames, key, at).errors);
      }
    }
    for (const [key, subschema] of Object.entries(fieldsOf(schema.properties))) {
      if (Object.hasOwn(value, key)) applyTo(key, subschema);
    }
    for (const [pattern, subschema] of Object.entries(fieldsOf(schema.patternProperties))) {
      this.#requireQuick(false);
      const expression = new RegExp(pattern, 'u');
      for (const key of Object.keys(value)) if (expression.test(key)) applyTo(key, subschema);
    }
    if (schema.additionalProperties !== undefined) {
      const others = Object.keys(value).filter((key) => !own.has(key));
      for (const key of others) applyTo(key, schema.additionalProperties);
    }
    outcome.markAll(own);
    if (schema.unevaluatedProperties !== undefined) {
      const others = Object.keys(value).filter((key) => !outcome.evaluated.has(key));
      for (const key of others) applyTo(key, schema.unevaluatedProperties);
      outcome.markAll(others);
    }
  }

  #applyToItems(
    schema: Keywords,
    value: readonly unknown[],
    location: string,
    outcome: Collector,
  ): void {
    const { items, contains, unevaluatedItems } = schema;
    const itemAt = (index: number, subschema: unknown) =>
      this.#apply(subschema, value[index], `${location}/${index}`);
    const applyTo = (index: number, subschema: unknown) => {
      outcome.addErrors(itemAt(index, subschema).errors);
      outcome.mark(String(index));
    };
    const isTuple = Array.isArray(items);
    const first: unknown[] = [schema.prefixItems ?? [], isTuple ? items : []].flat();
    const rest = isTuple ? schema.additionalItems : items;
    for (const [index] of value.entries()) {
      if (index < first.length) applyTo(index, first[index]);
      else if (rest !== undefined) applyTo(index, rest);
    }
    if (contains !== undefined) {
      const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
      let contained = 0;
      for (const [index] of value.entries()) {
        if (itemAt(index, contains).errors.length > 0) continue;
        contained += 1;
        outcome.mark(String(index));
      }
      if (contained < minContains) {
        const message = `Array must contain at least ${minContains} items matching schema. Only ${contained} items were found.`;
        outcome.fail(location, message);
      } else if (contained > maxContains) {
        const message = `Array may contain at most ${maxContains} items matching schema. ${contained} items were found.`;
        outcome.fail(location, message);
      }
    }
    if (unevaluatedItems === undefined) return;
    for (const [index] of value.entries()) {
      if (!outcome.evaluated.has(String(index))) applyTo(index, unevaluatedItems);
    }
  }
}

/** Collects the outcome of a schema from those of its keywords. */
class Collector implements Outcome {
  readonly errors: string[] = [];
  readonly #maximumErrors: number;
  readonly #recordsMembers: boolean;
  #evaluated: Set<string> | null = null;

  constructor(maximumErrors: number, recordsMembers: boolean) {
    this.#maximumErrors = maximumErrors;
    this.#recordsMembers = recordsMembers;
  }

  get evaluated(): ReadonlySet<string> {
    return this.#evaluated ?? none;
  }

  fail(location: string, error: string): void {
    this.addErrors([`${location || '/'} ${error}`]);
  }

  addErrors(errors: readonly string[]): void {
    for (const error of errors) {
      if (this.errors.length === this.#maximumErrors) return;
      this.errors.push(error);
    }
  }

  mark(member: string): void {
    if (!this.#recordsMembers) return;
    this.#evaluated ??= new Set();
    this.#evaluated.add(member);
  }

  markAll(members: Iterable<string>): void {
    for (const member of members) this.mark(member);
  }

  include({ errors, evaluated }: Outcome): void {
    this.addErrors(errors);
    this.markAll(evaluated);
  }
}

const none: ReadonlySet<string> = new Set();

function encodePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
