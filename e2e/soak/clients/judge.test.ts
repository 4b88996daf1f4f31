import { describe, expect, it } from 'vitest';
import { lastWordsTo } from '../server/configuration.ts';
import { Account } from './account.ts';
import { compareWithLog } from './judge.ts';
import type { LoggedEvent } from './read-log.ts';
import { createTally, sumOf } from './tally.ts';
import { firstDifference } from './view.ts';

const event = (type: string, text: string, seq: number): LoggedEvent => ({
  id: `evt_${seq}`,
  seq,
  type,
  content: [{ type: 'text', text }],
});
const said = (...texts: string[]) => {
  const account = new Account();
  for (const text of texts) account.say(text);
  return account;
};
function compare(account: Account, logged: string[], answered: string[] = []) {
  const tally = createTally();
  const log = [
    ...logged.map((text, index) => event('user.message', text, index + 1)),
    ...answered.map((text, index) => event('agent.message', lastWordsTo(text), index + 100)),
  ];
  compareWithLog('p1', { account, tally }, log);
  const { lost, doubled, wrong, disordered, answers } = tally;
  return [lost.length, doubled.length, wrong.length, disordered.length, answers];
}

describe('what was said, against the log', () => {
  it('is there once, in its order, and answered', () => {
    expect(compare(said('a', 'b'), ['a', 'b'], ['a'])).toEqual([0, 0, 0, 0, 1]);
  });

  it('is lost, doubled, strange or out of order otherwise', () => {
    expect(compare(said('a', 'b'), ['a'])).toEqual([1, 0, 0, 0, 0]);
    expect(compare(said('a', 'b'), ['a', 'b', 'a'])).toEqual([0, 1, 0, 0, 0]);
    expect(compare(said('a'), ['a', 'x'])).toEqual([0, 0, 1, 0, 0]);
    expect(compare(said('a', 'b'), ['b', 'a'])).toEqual([0, 0, 0, 1, 0]);
    expect(compare(said('a'), ['a'], ['a', 'a'])).toEqual([0, 1, 0, 0, 1]);
  });

  it('may be missing or late where there was a reason', () => {
    const account = said('a', 'b', 'c');
    account.excused.add('a');
    account.late.add('b');
    expect(compare(account, ['c', 'b'])).toEqual([0, 0, 0, 0, 0]);
    expect(compare(account, ['a', 'c', 'b'])).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('two views', () => {
  it('differ by what one has and the other has not', () => {
    expect(firstDifference(['a', 'b'], ['a', 'b'])).toBeNull();
    expect(firstDifference(['a', 'b'], ['a'])).toBe('entry 1 is b and has to be left out');
    expect(firstDifference(['a'], ['a', 'b'])).toBe('entry 1 is left out and has to be b');
  });
});

describe('tallies', () => {
  it('add up, each in its way', () => {
    const one = { ...createTally(), messages: 2, lost: ['x'], retries: { A: 1 } };
    const other = { ...createTally(), messages: 3, lost: ['y'], retries: { A: 2, B: 1 } };
    expect(sumOf([one, other])).toMatchObject({
      messages: 5,
      lost: ['x', 'y'],
      retries: { A: 3, B: 1 },
    });
  });
});
