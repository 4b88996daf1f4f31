/** Checks that the soak test detects lost, duplicated, unknown and reordered messages. */
import { describe, expect, it } from 'vitest';
import { endOfAnswer } from '../server/configuration.ts';
import { Expectations } from './expectations.ts';
import type { LoggedEvent } from './read-log.ts';
import { createTally } from './tally.ts';
import { compareWithLog } from './verify-conversation.ts';

const logEvent = (type: string, text: string, seq: number): LoggedEvent => ({
  id: `evt_${seq}`,
  seq,
  type,
  content: [{ type: 'text', text }],
});
const expectationsOf = (...texts: string[]) => {
  const expectations = new Expectations();
  for (const text of texts) expectations.add(text);
  return expectations;
};
function compare(expectations: Expectations, logged: string[], answered: string[] = []) {
  const tally = createTally();
  const log = [
    ...logged.map((text, index) => logEvent('user.message', text, index + 1)),
    ...answered.map((text, index) => logEvent('agent.message', endOfAnswer(text), index + 100)),
  ];
  compareWithLog('p1', { expectations, tally }, log);
  const { lost, duplicated, wrong, reordered, answers } = tally;
  return [lost.length, duplicated.length, wrong.length, reordered.length, answers];
}

describe('compareWithLog', () => {
  it('finds no problem if each message is in the log once and in order', () => {
    expect(compare(expectationsOf('a', 'b'), ['a', 'b'], ['a'])).toEqual([0, 0, 0, 0, 1]);
  });

  it('finds lost, duplicated, unknown and reordered messages, and duplicated answers', () => {
    expect(compare(expectationsOf('a', 'b'), ['a'])).toEqual([1, 0, 0, 0, 0]);
    expect(compare(expectationsOf('a', 'b'), ['a', 'b', 'a'])).toEqual([0, 1, 0, 0, 0]);
    expect(compare(expectationsOf('a'), ['a', 'x'])).toEqual([0, 0, 1, 0, 0]);
    expect(compare(expectationsOf('a', 'b'), ['b', 'a'])).toEqual([0, 0, 0, 1, 0]);
    expect(compare(expectationsOf('a'), ['a'], ['a', 'a'])).toEqual([0, 1, 0, 0, 1]);
  });

  it('accepts missing and late messages that a fault explains', () => {
    const expectations = expectationsOf('a', 'b', 'c');
    expectations.optional.add('a');
    expectations.late.add('b');
    expect(compare(expectations, ['c', 'b'])).toEqual([0, 0, 0, 0, 0]);
    expect(compare(expectations, ['a', 'c', 'b'])).toEqual([0, 0, 0, 0, 0]);
  });
});
