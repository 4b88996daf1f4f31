import { describe, expect, it } from 'vitest';
import { checkCardAnswer } from './card-answer.ts';
import type { CardBlock, CardValues } from './cards.ts';

const options = [
  { value: 'x', label: 'X' },
  { value: 'y', label: 'Y' },
];
const field = (name: string, kind: string, settings: object = {}) =>
  ({ type: 'field', name, label: name, kind, ...settings }) as CardBlock;
const buttons: CardBlock = {
  type: 'buttons',
  buttons: [
    { label: 'Send', action: 'send' },
    { label: 'Never mind', action: 'cancel', skips_fields: true },
    { label: 'Help', url: 'https://example.com' },
  ],
};
const list: CardBlock = {
  type: 'list',
  items: [{ title: 'One', action: 'pick_one' }, { title: 'Two' }],
};
const check = (blocks: CardBlock[], values: CardValues, action = 'send') =>
  checkCardAnswer([...blocks, buttons, list], { action, values });

describe('checkCardAnswer', () => {
  it('accepts only actions of buttons and list items', () => {
    expect(check([], {}, 'send')).toEqual([]);
    expect(check([], {}, 'pick_one')).toEqual([]);
    expect(check([], {}, 'drop')).toEqual([
      {
        pointer: '/action',
        message: 'must be an action of the card: `send`, `cancel`, `pick_one`',
      },
    ]);
    expect(checkCardAnswer([], { action: 'send', values: {} })).toEqual([
      { pointer: '/action', message: 'must not be sent: the card has no actions' },
    ]);
  });

  it.each([
    ['text', 'hello'],
    ['multiline', 'a\nb'],
    ['email', 'ada@example.com'],
    ['number', 2],
    ['date', '2028-02-29'],
    ['select', 'x'],
    ['choice', 'y'],
    ['choices', ['x', 'y']],
    ['checkbox', false],
  ])('accepts the value $1 of a $0 field', (kind, value) => {
    expect(check([field('a', kind, { options })], { a: value })).toEqual([]);
  });

  it.each([
    ['text', 1, {}, 'must be a text'],
    ['text', 'abc', { max_length: 2 }, 'must have at most 2 characters'],
    ['multiline', 'x'.repeat(2001), {}, 'must have at most 2000 characters'],
    ['email', 'ada at example', {}, 'must be an e-mail address'],
    ['number', '2', {}, 'must be a number'],
    ['number', 0, { min: 1 }, 'must be at least 1'],
    ['number', 7, { max: 6 }, 'must be at most 6'],
    ['date', '2027-02-29', {}, 'must be a date such as 2026-01-31'],
    ['date', '1.2.2027', {}, 'must be a date such as 2026-01-31'],
    ['select', 'z', { options }, 'must be `x` or `y`'],
    ['choice', true, { options }, 'must be `x` or `y`'],
    ['choices', 'x', { options }, 'must be a list'],
    ['choices', ['x', 'z'], { options }, 'must hold only `x` or `y`'],
    ['choices', ['x', 'x'], { options }, 'must not hold a value twice'],
    ['checkbox', 'on', {}, 'must be true or false'],
  ])('rejects the value $1 of a $0 field: $3', (kind, value, settings, message) => {
    expect(check([field('a', kind, settings)], { a: value as CardValues[string] })).toEqual([
      { pointer: '/values/a', message },
    ]);
  });

  it('requires values of required fields, and treats blank values as missing', () => {
    const blocks = [
      field('text', 'text', { required: true }),
      field('list', 'choices', { required: true, options }),
      field('terms', 'checkbox', { required: true }),
      field('free', 'email'),
    ];

    expect(check(blocks, { text: ' ', list: [], terms: false, free: '' })).toEqual(
      ['text', 'list', 'terms'].map((name) => ({
        pointer: `/values/${name}`,
        message: 'is required',
      })),
    );
    expect(check(blocks, {})).toHaveLength(3);
    expect(check(blocks, { text: 'a', list: ['x'], terms: true })).toEqual([]);
  });

  it('rejects a value whose name is not the name of a field', () => {
    expect(check([], { extra: 1 })).toEqual([
      { pointer: '/values/extra', message: 'must be the name of a field of the card' },
    ]);
  });

  it('does not read an inherited property as the value of a field with the same name', () => {
    expect(check([field('constructor', 'text', { required: true })], {})).toEqual([
      { pointer: '/values/constructor', message: 'is required' },
    ]);
  });

  it('neither requires nor accepts values for a button that skips the fields', () => {
    const blocks = [field('a', 'text', { required: true })];

    expect(check(blocks, {}, 'cancel')).toEqual([]);
    expect(check(blocks, { a: 'x' }, 'cancel')).toEqual([
      { pointer: '/values/a', message: 'must be left out: this action takes no values' },
    ]);
  });

  it('accepts an answer that is valid for at least one button with the action', () => {
    const sameAction: CardBlock = {
      type: 'buttons',
      buttons: [
        { label: 'Skip', action: 'go', skips_fields: true },
        { label: 'Go', action: 'go' },
      ],
    };
    const blocks = [field('a', 'text', { required: true }), sameAction];
    const go = (values: CardValues) => checkCardAnswer(blocks, { action: 'go', values });

    expect([go({}), go({ a: 'x' })]).toEqual([[], []]);
    expect(go({ b: 'x' })).toMatchObject([{ pointer: '/values/b' }]);
  });
});
