import type { LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toModelMessages } from '../runs/history.ts';
import { Branches, currentBranch } from './branches.ts';

type Draft = { type: string; id?: string } & Record<string, unknown>;

/** A log of these events, with consecutive `seq`; ids are `e1`, `e2` … unless given. */
function logOf(...events: Draft[]): LogEvent[] {
  return events.map(
    (event, index) =>
      ({ id: `e${index + 1}`, processed_at: '', seq: index + 1, ...event }) as LogEvent,
  );
}

const said = (id: string, parent_id?: string | null) => ({
  type: 'user.message',
  id,
  content: [{ type: 'text', text: id }],
  ...(parent_id !== undefined && { parent_id }),
});
const answered = (...texts: string[]) => [
  { type: 'span.model_request_start' },
  ...texts.map((text) => ({ type: 'agent.message', content: [{ type: 'text', text }] })),
];
const textsOf = async (log: readonly LogEvent[]) =>
  (await toModelMessages(log, async () => null)).map((message) =>
    message.role === 'user'
      ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join()
      : message.text,
  );

describe('branches', () => {
  it('are one where no message names its parent, as in logs of older servers', async () => {
    const log = logOf(said('a'), ...answered('to a'), said('b'), ...answered('to b'));

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b', 'to b']);
    expect(currentBranch(log)).toEqual(log);
  });

  it('leave out what was said after the message that another one follows', async () => {
    const log = logOf(
      said('a', null),
      ...answered('to a'),
      said('b', 'a'),
      ...answered('to b'),
      said('b2', 'a'),
    );

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b2']);
  });

  it('begin anew with a message that follows nothing', async () => {
    const log = logOf(said('a', null), ...answered('to a'), said('a2', null));

    expect(await textsOf(log)).toEqual(['a2']);
  });

  it('go on where an older one was left', async () => {
    const log = logOf(
      said('a', null),
      ...answered('to a'),
      said('a2', null),
      ...answered('to a2'),
      said('b', 'a'),
    );

    expect(await textsOf(log)).toEqual(['a', 'to a', 'b']);
  });

  it('keep an answer with the message that was asked, whatever was said meanwhile', async () => {
    const [start, ...rest] = answered('half of it');
    const log = logOf(said('a', null), start as Draft, said('a2', null), ...rest);

    expect(await textsOf(log)).toEqual(['a2']);
  });

  it('follow the message before where the parent is not in the log', () => {
    const branches = new Branches(logOf(said('a', null), said('b', 'nowhere')));

    expect([...branches.pathTo('b')]).toEqual(['b', 'a']);
  });

  it('go back with the answer to a card of an older one, and find its newest end', async () => {
    const log = logOf(
      said('a', null),
      ...answered('to a'),
      said('b', 'a'),
      ...answered('to b'),
      said('a2', null),
      ...answered('to a2'),
      { type: 'user.card_action', card_id: 'c', action: 'go', parent_id: 'b' },
    );

    expect(new Branches(log.slice(0, -1)).endOf('a')).toBe('b');
    expect(await textsOf(log)).toEqual([
      'a',
      'to a',
      'b',
      'to b',
      '[Answer to the card]\n{"action":"go","values":{}}',
    ]);
  });

  it('find the end of one at once, however long another has become', () => {
    const path = Array.from({ length: 20_000 }, (_, n) => said(`m${n}`));
    const log = logOf(said('a', null), said('b', 'a'), said('m', null), ...path);

    expect(new Branches(log).endOf('a')).toBe('b');
  });

  it('give the model exactly the ancestors of what it answers, for every log', async () => {
    /**
     * A message whose parent is an earlier one, optionally with an agent message or an interrupt.
     */
    const step = fc.record({
      parent: fc.option(fc.nat(), { nil: null }),
      isAnswered: fc.boolean(),
      interrupts: fc.boolean(),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const parents: (number | null)[] = [];
        const isAnswered: boolean[] = [];
        const drafts: Draft[] = [];
        for (const [index, each] of steps.entries()) {
          const parent = index === 0 || each.parent === null ? null : each.parent % index;
          parents.push(parent);
          isAnswered.push(each.isAnswered);
          if (each.interrupts) drafts.push({ type: 'user.interrupt' });
          drafts.push(said(`m${index}`, parent === null ? null : `m${parent}`));
          if (each.isAnswered) drafts.push(...answered(`to m${index}`));
        }

        const expected: string[] = [];
        for (let at: number | null = steps.length - 1; at !== null; at = parents[at] ?? null) {
          expected.unshift(`m${at}`, ...(isAnswered[at] ? [`to m${at}`] : []));
        }

        expect(await textsOf(logOf(...drafts))).toEqual(expected);
      }),
    );
  });
});
