import type { LogEvent } from '@inlay/protocol';
import { Branches, currentBranch } from '@inlay/protocol/branches';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toModelMessages } from '../runs/history.ts';

type Draft = { type: string; id?: string } & Record<string, unknown>;

/** Creates a log of these events, with consecutive `seq` and, by default, the ids `e1`, `e2` … */
function logOf(...events: Draft[]): LogEvent[] {
  return events.map(
    (event, index) =>
      ({ id: `e${index + 1}`, processed_at: '', seq: index + 1, ...event }) as LogEvent,
  );
}

const userMessage = (id: string, parent_id?: string | null) => ({
  type: 'user.message',
  id,
  content: [{ type: 'text', text: id }],
  ...(parent_id !== undefined && { parent_id }),
});
const answers = (...texts: string[]) => [
  { type: 'span.model_request_start' },
  ...texts.map((text) => ({ type: 'agent.message', content: [{ type: 'text', text }] })),
];
const textsOf = async (log: readonly LogEvent[]) =>
  (await toModelMessages(log, async () => null)).map((message) =>
    message.role === 'user'
      ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join()
      : message.text,
  );

describe('the current branch', () => {
  it('contains all events if no message has a parent, as in the logs of older servers', async () => {
    const log = logOf(userMessage('a'), ...answers('to a'), userMessage('b'), ...answers('to b'));

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b', 'to b']);
    expect(currentBranch(log)).toEqual(log);
  });

  it('excludes messages between the current message and its parent', async () => {
    const log = logOf(
      userMessage('a', null),
      ...answers('to a'),
      userMessage('b', 'a'),
      ...answers('to b'),
      userMessage('b2', 'a'),
    );

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b2']);
  });

  it('starts with the current message if its parent is null', async () => {
    const log = logOf(userMessage('a', null), ...answers('to a'), userMessage('a2', null));

    expect(await textsOf(log)).toEqual(['a2']);
  });

  it('continues an earlier branch if the parent of the current message is in that branch', async () => {
    const log = logOf(
      userMessage('a', null),
      ...answers('to a'),
      userMessage('a2', null),
      ...answers('to a2'),
      userMessage('b', 'a'),
    );

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b']);
  });

  it('excludes an answer of another branch, even if this answer ends after the current message was sent', async () => {
    const [start, ...rest] = answers('half of it');
    const log = logOf(userMessage('a', null), start as Draft, userMessage('a2', null), ...rest);

    expect(await textsOf(log)).toEqual(['a2']);
  });

  it('continues the previous branch if the parent is not in the log', () => {
    const branches = new Branches(logOf(userMessage('a', null), userMessage('b', 'nowhere')));

    expect([...branches.pathTo('b')]).toEqual(['b', 'a']);
  });

  it('is the branch of a card after the card is answered', async () => {
    const log = logOf(
      userMessage('a', null),
      ...answers('to a'),
      userMessage('b', 'a'),
      ...answers('to b'),
      userMessage('a2', null),
      ...answers('to a2'),
      { type: 'user.card_action', card_id: 'c', action: 'go', parent_id: 'b' },
    );

    expect(await textsOf(log)).toEqual([
      'a',
      'to a',
      'b',
      'to b',
      '[Answer to the card]\n{"action":"go","values":{}}',
    ]);
  });

  it('contains exactly the current message, its ancestors and their answers, for every log', async () => {
    /**
     * A message with an earlier message or none as its parent, optionally after an interrupt, and
     * optionally with an answer.
     */
    const step = fc.record({
      parent: fc.option(fc.nat(), { nil: null }),
      isAnswered: fc.boolean(),
      followsInterrupt: fc.boolean(),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const parents: (number | null)[] = [];
        const isAnswered: boolean[] = [];
        const drafts: Draft[] = [];
        for (const [index, entry] of steps.entries()) {
          const parent = index === 0 || entry.parent === null ? null : entry.parent % index;
          parents.push(parent);
          isAnswered.push(entry.isAnswered);
          if (entry.followsInterrupt) drafts.push({ type: 'user.interrupt' });
          drafts.push(userMessage(`m${index}`, parent === null ? null : `m${parent}`));
          if (entry.isAnswered) drafts.push(...answers(`to m${index}`));
        }

        const expected: string[] = [];
        for (
          let current: number | null = steps.length - 1;
          current !== null;
          current = parents[current] ?? null
        ) {
          expected.unshift(`m${current}`, ...(isAnswered[current] ? [`to m${current}`] : []));
        }

        expect(await textsOf(logOf(...drafts))).toEqual(expected);
      }),
    );
  });
});

describe('Branches.endOf', () => {
  it('returns the last message of a branch that is not the current branch', () => {
    const log = logOf(
      userMessage('a', null),
      ...answers('to a'),
      userMessage('b', 'a'),
      ...answers('to b'),
      userMessage('a2', null),
    );

    expect(new Branches(log).endOf('a')).toBe('b');
  });

  it('returns the last message of a branch, even if another branch has 20,000 messages', () => {
    const path = Array.from({ length: 20_000 }, (_, n) => userMessage(`m${n}`));
    const log = logOf(
      userMessage('a', null),
      userMessage('b', 'a'),
      userMessage('m', null),
      ...path,
    );

    expect(new Branches(log).endOf('a')).toBe('b');
  });
});
