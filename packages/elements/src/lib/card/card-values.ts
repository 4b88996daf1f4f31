import type { CardBlock, CardField, CardValues } from '@inlay/protocol';
import type { Strings } from '../i18n/all-strings.ts';
import { format, plural } from '../i18n/format.ts';
import { readNumber, writeNumber } from './numbers.ts';

/** Values of the fields by name. Numbers are stored as typed text. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** Default maximum length of a text field, in characters, as on the server. */
export const defaultMaxLength = 2000;

/** Returns the fields among the blocks of a card. */
export function fieldsOf(blocks: readonly CardBlock[]): CardField[] {
  return blocks.filter((block): block is CardField => block.type === 'field');
}

/** Returns the initial value of a field. */
function initialValue({ kind, value }: CardField, { locale }: Strings): unknown {
  if (kind === 'checkbox') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value : [];
  if (typeof value === 'number') return writeNumber(value, locale);
  return typeof value === 'string' ? value : '';
}

/** Returns the value that the user entered, or the initial value. */
export function currentValue(field: CardField, values: FieldValues, strings: Strings): unknown {
  return Object.hasOwn(values, field.name) ? values[field.name] : initialValue(field, strings);
}

const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'boolean' ? !value : trimmedText(value) === '';
}

/** Message for a required field without a value. */
function requiredMessage({ kind }: CardField, strings: Strings): string {
  if (kind === 'checkbox') return strings.cardMissingCheck;
  return ['select', 'choice', 'choices'].includes(kind)
    ? strings.cardMissingChoice
    : strings.cardMissing;
}

/** Validates a field by the server's rules. Returns a message for the user, or null if valid. */
export function problemOf(field: CardField, values: FieldValues, strings: Strings): string | null {
  const value = currentValue(field, values, strings);
  if (isBlank(value)) return field.required ? requiredMessage(field, strings) : null;
  const text = trimmedText(value);
  const number = new Intl.NumberFormat(strings.locale);
  const { min = -Infinity, max = Infinity, max_length = defaultMaxLength } = field;
  switch (field.kind) {
    case 'number': {
      const entered = readNumber(text, strings.locale);
      if (!Number.isFinite(entered)) return strings.cardNotNumber;
      if (entered < min) return format(strings.cardTooSmall, { min: number.format(min) });
      return entered > max ? format(strings.cardTooLarge, { max: number.format(max) }) : null;
    }
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
        ? null
        : strings.cardNotDate;
    case 'email':
      if (!/^[^\s@]+@[^\s@]+$/.test(text)) return strings.cardNotEmail;
      break;
    case 'text':
    case 'multiline':
      break;
    default:
      return null;
  }
  return text.length > max_length ? plural(strings, strings.cardTooLong, max_length) : null;
}

/** Converts the values for sending: empty fields are left out, numbers are parsed. */
export function answerOf(
  fields: readonly CardField[],
  values: FieldValues,
  strings: Strings,
): CardValues {
  const answer: CardValues = {};
  for (const field of fields) {
    const value = currentValue(field, values, strings);
    if (typeof value === 'boolean') answer[field.name] = value;
    else if (isBlank(value)) continue;
    else if (Array.isArray(value)) answer[field.name] = value.map(String);
    else if (field.kind === 'number') {
      answer[field.name] = readNumber(trimmedText(value), strings.locale);
    } else answer[field.name] = trimmedText(value);
  }
  return answer;
}

/** Formats the sent value of a field for display. */
export function formatValue(field: CardField, value: unknown, strings: Strings): string {
  const { kind, options = [] } = field;
  const labelOf = (each: unknown) =>
    options.find((option) => option.value === each)?.label ?? String(each);
  if (kind === 'checkbox') return value === true ? strings.yes : strings.no;
  if (value === undefined || value === null || value === '') return strings.cardNoValue;
  if (Array.isArray(value)) {
    return new Intl.ListFormat(strings.locale, { type: 'conjunction' }).format(value.map(labelOf));
  }
  if (kind === 'select' || kind === 'choice') return labelOf(value);
  if (typeof value === 'number') return new Intl.NumberFormat(strings.locale).format(value);
  if (kind === 'date' && !Number.isNaN(Date.parse(String(value)))) {
    // `Date.parse` reads a date without a time as UTC.
    const date = new Intl.DateTimeFormat(strings.locale, { dateStyle: 'long', timeZone: 'UTC' });
    return date.format(Date.parse(String(value)));
  }
  return String(value);
}
