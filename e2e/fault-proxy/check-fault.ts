import type { Fault, Match } from './fault.ts';

type FieldType = 'count' | 'flag' | 'text' | 'headers' | readonly string[];

const cutKinds = ['half-open', 'reset', 'fin'];
const sides = ['answer', 'request'];

/** Fields of each fault type (see `fault.ts`). Those in `needed` are required. */
const faultFields: Record<Fault['type'], { needed?: string[]; fields: Record<string, FieldType> }> =
  {
    cut: { fields: { how: cutKinds, side: sides, after: 'count', from: ['head', 'body'] } },
    'lose-answer': { fields: { how: cutKinds } },
    delay: { needed: ['ms'], fields: { ms: 'count', side: sides } },
    split: { fields: { bytes: 'count', side: sides } },
    throttle: { needed: ['bytesPerSecond'], fields: { bytesPerSecond: 'count', side: sides } },
    buffer: { fields: { bytes: 'count', head: 'flag' } },
    answer: {
      needed: ['status'],
      fields: { status: 'count', headers: 'headers', body: 'text', reachesServer: 'flag' },
    },
    'strip-headers': { needed: ['prefix'], fields: { prefix: 'text' } },
    duplicate: { fields: { answer: ['first', 'second'] } },
    reorder: { fields: {} },
  };

const matchFields: Record<string, FieldType> = {
  method: 'text',
  path: 'text',
  nth: 'count',
  times: 'count',
};

export const faultTypes = Object.keys(faultFields);

/**
 * Validates a fault.
 *
 * @throws {TypeError} Names the field and the remedy.
 */
export function checkFault(value: unknown): Fault {
  const { type, ...settings } = asObject(value, 'the fault');
  if (!isFaultType(type)) {
    throw new TypeError(`type is ${JSON.stringify(type)}; use one of ${faultTypes.join(', ')}`);
  }
  const { needed = [], fields } = faultFields[type];
  checkFields(settings, fields, `a fault of type ${type}`);
  for (const name of needed) {
    if (settings[name] === undefined) throw new TypeError(`A fault of type ${type} needs ${name}`);
  }
  if (settings.bytes === 0 || settings.bytesPerSecond === 0) {
    throw new TypeError('bytes and bytesPerSecond must be at least 1');
  }
  return value as Fault;
}

/**
 * Validates the conditions of a fault.
 *
 * @throws {TypeError} Names the field and the remedy.
 */
export function checkMatch(value: unknown): Match {
  checkFields(asObject(value, 'match'), matchFields, 'match');
  return value as Match;
}

/**
 * Parses `cut,after=300,how=reset,path=/stream,nth=2`: a type, its fields, and its conditions.
 *
 * @throws {TypeError} Names the field and the remedy.
 */
export function parseFault(text: string): { fault: Fault; match: Match } {
  const [type = '', ...pairs] = text.split(',');
  const fault: Record<string, unknown> = { type };
  const match: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [name = '', value] = pair.split(/=(.*)/s);
    if (value === undefined) throw new TypeError(`"${pair}" is not <field>=<value>`);
    const target = Object.hasOwn(matchFields, name) ? match : fault;
    target[name] = /^\d+$/.test(value) ? Number(value) : value === 'true' ? true : value;
  }
  return { fault: checkFault(fault), match: checkMatch(match) };
}

function checkFields(settings: object, fields: Record<string, FieldType>, where: string): void {
  for (const [name, value] of Object.entries(settings)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      const names = Object.keys(fields).join(', ') || 'none';
      throw new TypeError(`${name} is not a field of ${where}; its fields: ${names}`);
    }
    const expected = describeMismatch(field, value);
    if (expected) throw new TypeError(`${name} is ${JSON.stringify(value)}; use ${expected}`);
  }
}

/** Describes the expected value; null if the value is valid. */
function describeMismatch(field: FieldType, value: unknown): string | null {
  switch (field) {
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0 ? null : 'a whole number, 0 or more';
    case 'flag':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'text':
      return typeof value === 'string' ? null : 'text';
    case 'headers': {
      const values = value && typeof value === 'object' ? Object.values(value) : [null];
      return values.every((item) => typeof item === 'string')
        ? null
        : 'an object with string values';
    }
    default:
      return field.includes(String(value)) ? null : field.join(', ');
  }
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value };
  throw new TypeError(`${name} must be an object`);
}

function isFaultType(value: unknown): value is Fault['type'] {
  return typeof value === 'string' && Object.hasOwn(faultFields, value);
}
