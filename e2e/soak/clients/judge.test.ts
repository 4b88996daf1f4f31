/** The soak run finds a log that lost, repeated, changed or reordered messages, so that it can fail. */
import { describe, expect, it } from 'vitest';
import { lastWordsTo } from '../server/configuration.ts';
import { Account } from './account.ts';
import { compareWithLog } from './judge.ts';
import type { LoggedEvent } from './read-log.ts';
import { createTally } from './tally.ts';

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

describe('comparing sent messages with the log', () => {
  it('finds nothing where each message is in the log once, in order and answered', () => {
    expect(compare(said('a', 'b'), ['a', 'b'], ['a'])).toEqual([0, 0, 0, 0, 1]);
  });

  it('finds lost, repeated, unknown and reordered messages, and repeated answers', () => {
    expect(compare(said('a', 'b'), ['a'])).toEqual([1, 0, 0, 0, 0]);
    expect(compare(said('a', 'b'), ['a', 'b', 'a'])).toEqual([0, 1, 0, 0, 0]);
    expect(compare(said('a'), ['a', 'x'])).toEqual([0, 0, 1, 0, 0]);
    expect(compare(said('a', 'b'), ['b', 'a'])).toEqual([0, 0, 0, 1, 0]);
    expect(compare(said('a'), ['a'], ['a', 'a'])).toEqual([0, 1, 0, 0, 1]);
  });

  it('accepts that messages are missing or late after a fault that explains it', () => {
    const account = said('a', 'b', 'c');
    account.excused.add('a');
    account.late.add('b');
    expect(compare(account, ['c', 'b'])).toEqual([0, 0, 0, 0, 0]);
    expect(compare(account, ['a', 'c', 'b'])).toEqual([0, 0, 0, 0, 0]);
  });
});
