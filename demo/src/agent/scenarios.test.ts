import { Card } from '@inlay/protocol';
import { findCardErrors } from '@inlay/protocol/check-card';
import { describe, expect, it } from 'vitest';
import { scenarios } from './scenarios.ts';
import { tools } from './tools.ts';

const calls = scenarios.flatMap(({ script }) =>
  script.flatMap((step) => ('call' in step ? [step] : [])),
);

describe('the scenarios of the demo', () => {
  it('call only tools that the agent has', () => {
    const names = new Set<unknown>([...tools.map(({ name }) => name), 'show_card']);

    expect(calls.map(({ call }) => call).filter((call) => !names.has(call))).toEqual([]);
  });

  it('show valid cards', () => {
    const cards = calls.filter(({ call }) => call === 'show_card').map(({ input }) => input);

    expect(cards).toHaveLength(3);
    for (const card of cards) expect(findCardErrors(Card.parse(card))).toEqual([]);
  });
});
