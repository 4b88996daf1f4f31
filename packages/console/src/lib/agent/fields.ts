import type { FieldError } from '@inlay/protocol';

/** A member of a resource that a form shows and changes. */
export interface Field {
  /** JSON Pointer of the member in the resource, in changes and in problems. */
  readonly pointer: string;
  readonly label: string;
  readonly hint?: string;
  /** `lines` is a list of texts, one per line; `json` is any value. */
  readonly type: 'text' | 'textarea' | 'number' | 'checkbox' | 'lines' | 'json' | 'select';
  /** The values of a select, with their labels. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether an empty field is null. By default it is an empty text or list, and no number. */
  readonly isNullable?: boolean;
  readonly isRequired?: boolean;
  /** Converts a value that has no such text by itself. */
  readonly convert?: {
    readonly format: (value: unknown) => string;
    readonly parse: (text: string) => unknown;
  };
}

/** Fields that belong together. */
export interface FieldGroup {
  readonly title: string;
  readonly hint?: string;
  readonly fields: readonly Field[];
}

/** Reads a member of a resource by its JSON Pointer; undefined if there is none. */
export function valueAt(resource: object, pointer: string): unknown {
  let value: unknown = resource;
  for (const name of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  }
  return value;
}

/** The text of a value in its input; `true` for a checked checkbox. */
export function formatValue({ type, convert }: Field, value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (convert) return convert.format(value);
  if (type === 'json') return JSON.stringify(value, null, 2);
  return type === 'lines' ? (value as readonly string[]).join('\n') : String(value);
}

/**
 * Converts the text of an input to a value.
 *
 * @throws SyntaxError for JSON that is not valid.
 */
function parseValue({ type, convert, isNullable }: Field, text: string): unknown {
  if (type === 'checkbox') return text !== '';
  if (text === '' && isNullable) return null;
  if (convert) return convert.parse(text);
  if (type === 'number') return Number(text);
  if (type === 'json') return JSON.parse(text);
  return type === 'lines' ? linesOf(text) : text;
}

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The changed members of a resource, and the fields whose texts have no value. */
export interface Changes {
  readonly changes: Record<string, unknown>;
  readonly errors: readonly FieldError[];
}

/** Converts the changed texts of a form; members whose text is as before are left out. */
export function readChanges(fields: readonly Field[], resource: object, data: FormData): Changes {
  const changes: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const field of fields) {
    const { pointer } = field;
    // Forms submit line ends as CR LF.
    const text = String(data.get(pointer) ?? '').replaceAll('\r\n', '\n');
    if (text === formatValue(field, valueAt(resource, pointer))) continue;
    try {
      setAt(changes, pointer, parseValue(field, text));
    } catch (error) {
      errors.push({ pointer, message: `is not valid JSON: ${(error as Error).message}` });
    }
  }
  return { changes, errors };
}

function setAt(target: Record<string, unknown>, pointer: string, value: unknown): void {
  const names = pointer.split('/').slice(1);
  const last = names.pop() as string;
  let parent = target;
  for (const name of names) {
    parent[name] ??= {};
    parent = parent[name] as Record<string, unknown>;
  }
  parent[last] = value;
}

/** The errors of fields by their pointers, and those of no field. */
export interface SortedErrors {
  readonly byField: ReadonlyMap<string, string>;
  readonly others: readonly string[];
}

/** Assigns each error to the field that its pointer is in. */
export function sortErrors(
  fields: readonly Field[],
  errors: readonly FieldError[],
  data: FormData,
): SortedErrors {
  const byField = new Map<string, string>();
  const others: string[] = [];
  for (const { pointer, message } of errors) {
    const field = fields.find((candidate) => `${pointer}/`.startsWith(`${candidate.pointer}/`));
    if (!field) {
      others.push(sentence(`${pointer.slice(1).replaceAll('/', '.')} ${message}`));
      continue;
    }
    const text = sentence(subjectOf(field, pointer, data) + message);
    const before = byField.get(field.pointer);
    byField.set(field.pointer, before ? `${before} ${text}` : text);
  }
  return { byField, others };
}

/** The part of a field that a pointer names: a line, or a path in JSON; empty for the whole field. */
function subjectOf(field: Field, pointer: string, data: FormData): string {
  const [first, ...rest] = pointer.slice(field.pointer.length).split('/').slice(1);
  if (first === undefined) return '';
  if (field.type === 'lines')
    return `“${linesOf(String(data.get(field.pointer)))[Number(first)]}” `;
  return field.type === 'json' ? `${[first, ...rest].join('.')} ` : '';
}

function sentence(text: string): string {
  // Messages of the API quote code with backticks.
  const whole = text.trim().replace(/`([^`]*)`/g, '“$1”');
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[.!?]$/.test(whole) ? '' : '.'}`;
}
