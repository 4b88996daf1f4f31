import { describe, expect, it } from 'vitest';
import { checkCard } from './check-card.ts';

const cardWithField = (fields: object) => ({
  blocks: [{ type: 'field', name: 'a', label: 'A', kind: 'text', ...fields }],
});
const cardWithBlock = (fields: object) => ({ blocks: [fields] });
const columns = [{ label: 'A' }, { label: 'B' }];

describe('checkCard', () => {
  it('accepts a card with every kind of block', () => {
    const card = {
      title: 'Change a booking',
      blocks: [
        { type: 'text', text: 'Booking **V-4812**' },
        { type: 'field', name: 'date', label: 'Date', kind: 'date', value: '2027-03-14' },
        {
          type: 'field',
          name: 'cabin',
          label: 'Cabin',
          kind: 'choice',
          options: [
            { value: 'single', label: 'Single' },
            { value: 'double', label: 'Double' },
          ],
          value: 'single',
        },
        { type: 'field', name: 'seats', label: 'Seats', kind: 'number', min: 1, max: 6 },
        { type: 'list', items: [{ title: 'Surex', text: '18:35 to 07:10', action: 'choose' }] },
        {
          type: 'chart',
          kind: 'bar',
          labels: ['Jan', 'Feb'],
          series: [{ label: 'Lisbon', values: [52, null] }],
          unit: '%',
        },
        { type: 'table', columns, rows: [['Porto', null]] },
        { type: 'image', url: 'https://a.example/harbour.svg', alt: 'A harbour' },
        { type: 'custom', name: 'seat-map', data: { free: [1, { row: 2 }] }, text: 'Free: **1**' },
        {
          type: 'buttons',
          buttons: [
            { label: 'Change', action: 'change', style: 'primary' },
            { label: 'Leave', action: 'leave', skips_fields: true },
            { label: 'Terms', url: 'https://example.com/terms' },
          ],
        },
      ],
    };

    expect(checkCard(card)).toEqual({ card });
  });

  it.each([
    ['an empty object', {}, '/blocks', 'is required'],
    ['an empty list of blocks', { blocks: [] }, '/blocks', 'must hold at least one block'],
    [
      'a block of an unknown type',
      cardWithBlock({ type: 'video' }),
      '/blocks/0/type',
      /known|Invalid/,
    ],
    [
      'a field without a label',
      cardWithBlock({ type: 'field', name: 'a', kind: 'text' }),
      '/blocks/0/label',
      'is required',
    ],
    [
      'a field of an unknown kind',
      cardWithField({ kind: 'colour' }),
      '/blocks/0/kind',
      /must be "text" or/,
    ],
    [
      'a field name with spaces',
      cardWithField({ name: 'a b' }),
      '/blocks/0/name',
      'must have 1 to 64 of A-Z a-z 0-9 _ . -',
    ],
    [
      'a choice without options',
      cardWithField({ kind: 'choice' }),
      '/blocks/0/options',
      'must hold what a choice chooses from',
    ],
    [
      'a repeated option',
      cardWithField({
        kind: 'select',
        options: [
          { value: 'x', label: '1' },
          { value: 'x', label: '2' },
        ],
      }),
      '/blocks/0/options',
      'must not hold a value twice',
    ],
    [
      'a minimum above the maximum',
      cardWithField({ kind: 'number', min: 3, max: 2 }),
      '/blocks/0/min',
      'must not be over `max`',
    ],
    [
      'a repeated field name',
      { blocks: [...cardWithField({}).blocks, ...cardWithField({}).blocks] },
      '/blocks/1/name',
      'must not be the name of another field of this card',
    ],
    [
      'a button without action and URL',
      cardWithBlock({ type: 'buttons', buttons: [{ label: 'Go' }] }),
      '/blocks/0/buttons/0',
      'must have either `action` or `url`',
    ],
    [
      'a button with both action and URL',
      cardWithBlock({
        type: 'buttons',
        buttons: [{ label: 'Go', action: 'a', url: 'https://a.example' }],
      }),
      '/blocks/0/buttons/0',
      'must have either `action` or `url`',
    ],
    [
      'a javascript: URL',
      cardWithBlock({ type: 'buttons', buttons: [{ label: 'Go', url: 'javascript:alert(1)' }] }),
      '/blocks/0/buttons/0/url',
      'must begin with https:// or http://',
    ],
    [
      'a table row with too few cells',
      cardWithBlock({ type: 'table', columns, rows: [['1', 2], ['1']] }),
      '/blocks/0/rows/1',
      'must have 2 cells, one for each column',
    ],
    [
      'a chart series with too many values',
      cardWithBlock({
        type: 'chart',
        kind: 'bar',
        labels: ['a'],
        series: [{ label: 's', values: [1, 2] }],
      }),
      '/blocks/0/series/0/values',
      'must have 1 values, one for each label',
    ],
    [
      'a pie chart with two series',
      cardWithBlock({
        type: 'chart',
        kind: 'pie',
        labels: ['a'],
        series: [
          { label: 's', values: [1] },
          { label: 't', values: [null] },
        ],
      }),
      '/blocks/0/series',
      'must be one series: a pie has no more',
    ],
    [
      'a custom block without a text',
      cardWithBlock({ type: 'custom', name: 'seat-map', data: {} }),
      '/blocks/0/text',
      'is required',
    ],
    [
      'data of a custom block that is not an object',
      cardWithBlock({ type: 'custom', name: 'seat-map', data: [1], text: 'Seats' }),
      '/blocks/0/data',
      'must be an object',
    ],
    [
      'data of a custom block of more than 20,000 characters as JSON',
      cardWithBlock({ type: 'custom', name: 'a', data: { b: 'x'.repeat(20_000) }, text: 'Seats' }),
      '/blocks/0/data',
      'must have at most 20000 characters as JSON',
    ],
  ])('rejects %s, with a JSON Pointer and a message', (_, card, pointer, message) => {
    expect(checkCard(card)).toEqual({
      errors: [
        {
          pointer,
          message: typeof message === 'string' ? message : expect.stringMatching(message),
        },
      ],
    });
  });

  it('removes unknown members', () => {
    const card = { ...cardWithBlock({ type: 'text', text: 'Hi', onclick: 'x' }), style: 'x' };

    expect(checkCard(card)).toEqual({ card: { blocks: [{ type: 'text', text: 'Hi' }] } });
  });

  it('rejects a card of more than 100,000 characters as JSON', () => {
    const rows = Array.from({ length: 200 }, () =>
      Array.from({ length: 12 }, () => 'x'.repeat(50)),
    );
    const columns = Array.from({ length: 12 }, () => ({ label: 'c' }));
    const block = { type: 'table', columns, rows };

    expect(checkCard({ blocks: [block] })).toHaveProperty('errors', [
      { pointer: '', message: 'must have at most 100000 characters as JSON' },
    ]);
  });
});
