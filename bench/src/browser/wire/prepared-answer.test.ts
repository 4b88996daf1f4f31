import { EmbedConfig, readEventText } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { longAnswer, toTokens } from '../answers.ts';
import { prepareAnswer } from './prepared-answer.ts';
import { preparedConfig } from './prepared-platform.ts';

const dataOf = (frame: Buffer) => /^data: (.*)$/m.exec(frame.toString())?.[1] ?? '';

describe('prepareAnswer', () => {
  it('creates readable events: live events for the tokens, between logged events', () => {
    const { before, tokens, after } = prepareAnswer('Why?', ['Be', 'cause.']);

    const kinds = [...before, ...tokens, ...after].map(
      (frame) => readEventText(dataOf(frame)).kind,
    );

    expect(kinds).toEqual([
      ...['live', 'log', 'log', 'log', 'live'],
      ...['live', 'live'],
      ...['log', 'log', 'log'],
    ]);
  });
});

describe('preparedConfig', () => {
  it('is a valid embed configuration', () => {
    expect(EmbedConfig.safeParse(preparedConfig()).error).toBeUndefined();
  });
});

describe('toTokens', () => {
  it('returns tokens whose concatenation is the answer', () => {
    const answer = longAnswer(2_000);

    const tokens = toTokens(answer);

    expect(tokens.join('')).toBe(answer);
    expect(tokens.length).toBeGreaterThan(1_900);
    expect(tokens.length).toBeLessThan(2_100);
  });
});
