import type { CardBlock, CardField, CardValues } from './cards.ts';
import type { FieldError } from './problems.ts';

/** Maximum characters of a text if the field does not set a limit. */
const defaultMaxLength = 2000;

/**
 * Validates an answer against the blocks of its card.
 *
 * @returns All errors, with pointers relative to the `user.card_action`; empty for a valid answer.
 */
export function checkCardAnswer(
  blocks: readonly CardBlock[],
  answer: { readonly action: string; readonly values: CardValues },
): FieldError[] {
  const actions = actionsOf(blocks);
  // Several buttons may have the same action, of which some send the field values and some none. The
  // answer must be valid for one of them.
  const [firstErrors, ...otherErrors] = actions
    .filter(({ name }) => name === answer.action)
    .map((action) => valueErrors(action, blocks, answer.values));
  if (!firstErrors) {
    const names = actions.map(({ name }) => `\`${name}\``).join(', ');
    return [
      {
        pointer: '/action',
        message: names
          ? `must be an action of the card: ${names}`
          : 'must not be sent: the card has no actions',
      },
    ];
  }
  return otherErrors.find((errors) => errors.length === 0) ?? firstErrors;
}

export interface Action {
  readonly name: string;
  readonly skipsFields: boolean;
}

/** The actions of the buttons and list items of a card. */
export function actionsOf(blocks: readonly CardBlock[]): Action[] {
  return blocks.flatMap((block) => {
    if (block.type === 'buttons') {
      return block.buttons.flatMap(({ action, skips_fields }) =>
        action === undefined ? [] : [{ name: action, skipsFields: skips_fields === true }],
      );
    }
    if (block.type !== 'list') return [];
    return block.items.flatMap(({ action }) =>
      action === undefined ? [] : [{ name: action, skipsFields: false }],
    );
  });
}

function valueErrors(
  { skipsFields }: Action,
  blocks: readonly CardBlock[],
  values: CardValues,
): FieldError[] {
  const fields = skipsFields ? [] : blocks.filter((block) => block.type === 'field');
  return [
    ...unknownFieldErrors(values, fields, skipsFields),
    ...fields.flatMap((field) => fieldErrors(field, values)),
  ];
}

function unknownFieldErrors(
  values: CardValues,
  fields: readonly CardField[],
  skipsFields: boolean,
): FieldError[] {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(values)
    .filter((name) => !names.has(name))
    .map((name) => ({
      pointer: `/values/${name}`,
      message: skipsFields
        ? 'must be left out: this action takes no values'
        : 'must be the name of a field of the card',
    }));
}

function fieldErrors(field: CardField, values: CardValues): FieldError[] {
  const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  const message =
    value === undefined || isBlank(field, value)
      ? field.required && 'is required'
      : rules[field.kind](value, field);
  return message ? [{ pointer: `/values/${field.name}`, message }] : [];
}

type Value = CardValues[string];

/** Whether a value is missing: an empty text or list, or a checkbox that is not checked. */
function isBlank(field: CardField, value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string'
    ? value.trim() === ''
    : value === false && field.kind === 'checkbox';
}

/** Returns the error for a value, or false. */
type Rule = (value: Value, field: CardField) => string | false;

const text: Rule = (value, { max_length = defaultMaxLength }) => {
  if (typeof value !== 'string') return 'must be a text';
  return value.length > max_length && `must have at most ${max_length} characters`;
};

const oneOf: Rule = (value, { options = [] }) =>
  !options.some((option) => option.value === value) && `must be ${alternatives(options)}`;

const rules: Record<CardField['kind'], Rule> = {
  text,
  multiline: text,
  email: (value, field) =>
    text(value, field) || (!/^[^\s@]+@[^\s@]+$/.test(String(value)) && 'must be an e-mail address'),
  number: (value, { min, max }) => {
    if (typeof value !== 'number') return 'must be a number';
    if (min !== undefined && value < min) return `must be at least ${min}`;
    return max !== undefined && value > max && `must be at most ${max}`;
  },
  date: (value) => !isDate(value) && 'must be a date such as 2026-01-31',
  select: oneOf,
  choice: oneOf,
  choices: (value, { options = [] }) => {
    if (!Array.isArray(value)) return 'must be a list';
    const optionValues = new Set<string>(options.map((option) => option.value));
    if (!value.every((each) => optionValues.has(each)))
      return `must hold only ${alternatives(options)}`;
    return new Set(value).size < value.length && 'must not hold a value twice';
  },
  checkbox: (value) => typeof value !== 'boolean' && 'must be true or false',
};

function alternatives(options: NonNullable<CardField['options']>): string {
  return options.map(({ value }) => `\`${value}\``).join(' or ');
}

function isDate(value: Value): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(value);
  // `Date` would accept February 31 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
