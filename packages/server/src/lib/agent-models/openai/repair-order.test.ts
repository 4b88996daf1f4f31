import { describe, expect, it } from 'vitest';
import { cpuGrowth } from '../../testing/cpu-growth.ts';
import type { ModelMessage } from '../model.ts';
import { repairOrder } from './repair-order.ts';

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string, ...ids: string[]): ModelMessage => ({
  role: 'assistant',
  text,
  toolCalls: ids.map((id) => ({ id, name: 'f', input: {} })),
});
const result = (toolCallId: string): ModelMessage => ({
  role: 'tool',
  toolCallId,
  text: 'done',
  isError: false,
});

/** Messages of a conversation, good and bad. */
const kinds = [
  user('question'),
  user(' '),
  assistant('answer'),
  assistant('  '),
  assistant('', 'a', 'b'),
  result('a'),
  result('b'),
];

/** All sequences of up to `length` messages. */
function sequences(length: number): ModelMessage[][] {
  if (length === 0) return [[]];
  const shorter = sequences(length - 1);
  const longest = shorter.filter((each) => each.length === length - 1);
  return [...shorter, ...longest.flatMap((each) => kinds.map((kind) => [...each, kind]))];
}

/** Describes the first violation of a strict endpoint's rules; null if there is none. */
function violation(messages: readonly ModelMessage[]): string | null {
  let open: string[] = [];
  let before: string | null = null;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.toolCallId)) return 'result without its call';
      open = open.filter((id) => id !== message.toolCallId);
    } else {
      if (open.length > 0) return 'call without its result';
      if (message.role === 'user') {
        if (before === 'user' || before === 'tool') return `user after ${before}`;
        if (message.content.some((part) => part.type === 'text' && !part.text.trim())) {
          return 'empty user message';
        }
      } else {
        if (before === null || before === 'assistant') return `assistant after ${before}`;
        if (!message.text.trim() && message.toolCalls.length === 0)
          return 'empty assistant message';
        open = message.toolCalls.map(({ id }) => id);
      }
    }
    before = message.role;
  }
  if (before === 'assistant') return 'assistant at the end';
  return open.length > 0 ? 'call without its result' : null;
}

const textsOf = (messages: readonly ModelMessage[]) =>
  messages
    .flatMap((message) => {
      if (message.role === 'user') {
        return message.content.map((part) => (part.type === 'text' ? part.text : ''));
      }
      return message.role === 'assistant' ? [message.text] : [];
    })
    .join(' ');

describe('repairOrder', () => {
  it('makes every sequence of messages valid, and keeps all their texts', () => {
    const count = (text: string, word: string) => text.split(word).length;
    for (const sequence of sequences(5)) {
      const repaired = repairOrder(sequence);

      expect([violation(repaired), sequence]).toEqual([null, sequence]);
      for (const word of ['question', 'answer']) {
        expect(count(textsOf(repaired), word)).toBe(count(textsOf(sequence), word));
      }
    }
  });

  it('does not change a valid conversation', () => {
    const valid = [
      user('a'),
      assistant('', 'a', 'b'),
      result('b'),
      result('a'),
      assistant('c'),
      user('d'),
    ];

    expect(repairOrder(valid)).toEqual(valid);
  });

  it('joins any number of messages of the user in linear time', async () => {
    const growth = await cpuGrowth((count) => {
      const [joined] = repairOrder(Array.from({ length: count }, () => user('question')));
      expect(joined).toMatchObject({ content: { length: count } });
    }, 10_000);

    // Quadratic time would be 64 times.
    expect(growth).toBeLessThan(32);
  });

  it('keeps what the provider sent when it joins an unfinished answer with the next one', () => {
    const providerMessage = { content: [{ type: 'text', text: 'b' }], x: 1 };
    const second = { ...assistant('b', 'a'), providerMessage } as ModelMessage;

    expect(repairOrder([user('q'), assistant('a'), second, result('a')])[1]).toMatchObject({
      text: 'a\n\nb',
      providerMessage: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        x: 1,
      },
    });
  });
});
