import type { LiveEvent, LogEvent } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialConversationState } from './initial-state.ts';
import type { ConversationEvent } from './local-events.ts';
import { reduce } from './reducer.ts';
import type { ConversationState } from './state.ts';

type Wire = LogEvent | LiveEvent;
type Json = Record<string, unknown>;

function wire(value: Json): Wire {
  const read = readEvent(value);
  if (read.kind !== 'log' && read.kind !== 'live') throw new Error(`no event: ${read.kind}`);
  return read.event;
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** A conversation as a server would tell it, live fragments included. */
class Story {
  readonly told: Wire[] = [];
  #seq = 0;

  log(type: string, fields: Json = {}): string {
    this.#seq += 1;
    const id = `evt_${this.#seq}`;
    const processed_at = new Date(this.#seq * 1000).toISOString();
    this.told.push(wire({ id, type, seq: this.#seq, processed_at, ...fields }));
    return id;
  }

  say(id: string, type: string, pieces: readonly string[], interruption?: string): void {
    this.told.push(wire({ type: 'event_start', event: { id, type } }));
    for (const [index, piece] of pieces.entries()) {
      if (interruption !== undefined && index === 1) this.log('user.message', text(interruption));
      this.told.push(
        wire({
          type: 'event_delta',
          event_id: id,
          delta: { type: 'content_delta', index: 0, content: { type: 'text', text: piece } },
        }),
      );
    }
    this.log(type, { id, ...text(pieces.join('')) });
  }
}

const turn = fc.record({
  question: fc.string(),
  thought: fc.array(fc.string(), { maxLength: 3 }),
  pieces: fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 }),
  interruption: fc.option(fc.string(), { nil: undefined }),
  tool: fc.boolean(),
  fails: fc.boolean(),
});

const stories = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
  const story = new Story();
  for (const [index, { question, thought, pieces, interruption, tool, fails }] of turns.entries()) {
    story.log('user.message', text(question));
    story.log('session.status_running');
    story.log('span.model_request_start');
    if (thought.length > 0) story.say(`think_${index}`, 'agent.thinking', thought);
    story.say(`say_${index}`, 'agent.message', pieces, interruption);
    if (tool) {
      const id = story.log('agent.tool_use', { name: 'look', input: {} });
      story.log('agent.tool_result', { tool_use_id: id, ...text('found') });
    }
    if (fails) {
      const error = { type: 'billing_error', message: 'no', retry_status: { type: 'exhausted' } };
      story.log('session.error', { error });
    }
    story.log('session.status_idle', { stop_reason: { type: 'end_turn' } });
  }
  return story.told;
});

const isLogged = (event: Wire): event is LogEvent => 'seq' in event;
const play = (events: readonly ConversationEvent[], from = initialConversationState) =>
  events.reduce<ConversationState>((state, event) => reduce(state, event), from);

/** Returns the events that a resumed stream sends: the log since `lastSeq`, then the partial event. */
function resumption(told: readonly Wire[], upTo: number, lastSeq: number): Wire[] {
  const before = told.slice(0, upTo);
  const missed = before.filter((event) => isLogged(event) && event.seq > lastSeq);
  const begun = before.findLast((event) => event.type === 'event_start');
  if (begun?.type !== 'event_start') return missed;
  const { id } = begun.event;
  if (before.some((event) => isLogged(event) && event.id === id)) return missed;
  const soFar = before
    .flatMap((each) => (each.type === 'event_delta' && each.event_id === id ? [each] : []))
    .map((each) => each.delta.content.text)
    .join('');
  const content = { type: 'text', text: soFar };
  const delta = { type: 'content_delta', index: 0, content };
  return [...missed, begun, wire({ type: 'event_delta', event_id: id, delta })];
}

describe('reduce', () => {
  it('has the same result for any cuts, repeats and batches', () => {
    const cuts = fc.array(fc.tuple(fc.nat(200), fc.nat(200), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(stories, cuts, fc.integer({ min: 1, max: 9 }), (told, places, batch) => {
        const whole = play(told);
        let state = initialConversationState;
        let at = 0;
        const ordered = places
          .map(([from, gap, again]) => ({ from: from % told.length, gap: gap % 20, again }))
          .sort((a, b) => a.from - b.from);
        for (const { from, gap, again } of ordered) {
          if (from < at) continue;
          for (let next = at; next < from; next += batch) {
            state = reduce(state, told.slice(next, Math.min(next + batch, from)));
          }
          at = Math.min(told.length, from + gap);
          const resumed = resumption(told, at, state.lastSeq);
          state = play(resumed, state);
          if (again) state = play(resumed.filter(isLogged), state);
        }
        state = play(told.slice(at), state);

        expect(state.entries).toEqual(whole.entries);
        expect(state.running).toBe(false);
        expect(state.memory.previews).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has the same result for the log alone, in pages of any size', () => {
    fc.assert(
      fc.property(stories, fc.integer({ min: 1, max: 7 }), (told, size) => {
        const whole = play(told);
        const logged = told.filter(isLogged);
        expect(play(logged).entries).toEqual(whole.entries);

        const paged: ConversationEvent[] = [];
        for (let end = logged.length; end > 0; end -= size) {
          const events = logged.slice(Math.max(0, end - size), end);
          const first = end === logged.length;
          const page = { first, more: end > size, lastSeq: logged.length };
          paged.push({ type: 'local.history', events, ...page });
        }
        expect(play(paged).entries).toEqual(whole.entries);
      }),
    );
  });

  it('shows an unanswered call as denied when the user continued without it', () => {
    const story = new Story();
    story.log('user.message', text('Send it'));
    const id = story.log('agent.tool_use', {
      name: 'send',
      input: {},
      evaluated_permission: 'ask',
    });
    story.log('session.status_idle', { stop_reason: { type: 'requires_action', event_ids: [id] } });
    story.log('user.message', text('Something else'));
    story.log('agent.tool_result', { tool_use_id: id, is_error: true, ...text('not allowed') });

    const state = story.told.reduce<ConversationState>(
      (before, event) => reduce(before, event),
      initialConversationState,
    );

    expect(state.entries.find((entry) => entry.kind === 'tool')?.progress).toBe('denied');
  });

  it('finds the call of a tool result that was loaded before it', () => {
    const story = new Story();
    story.log('user.message', text('Look'));
    const id = story.log('agent.tool_use', { name: 'look', input: {} });
    story.log('agent.tool_result', { tool_use_id: id, ...text('found') });
    story.log('session.status_idle', { stop_reason: { type: 'end_turn' } });
    const logged = story.told.filter(isLogged);
    const page = { type: 'local.history', lastSeq: 4 } as const;
    const state = play([
      { ...page, events: logged.slice(2), first: true, more: true },
      { ...page, events: logged.slice(0, 2), first: false, more: false },
    ]);
    expect(state.entries.map((entry) => entry.kind)).toEqual(['user', 'tool']);
    expect(state.entries[1]).toMatchObject({ progress: 'done', result: 'found' });
    expect(state).toMatchObject({ loading: false, lastSeq: 4 });
  });

  it('shows messages once that were sent while their page was loading', () => {
    const story = new Story();
    story.log('user.message', text('One'));
    story.log('user.message', text('Two'));
    const events = story.told.filter(isLogged);
    const local: ConversationEvent[] = events.flatMap((event) => {
      if (event.type !== 'user.message') return [];
      const key = `key_${event.id}`;
      const content = [{ type: 'text' as const, text: event.id }];
      return [
        { type: 'local.typed', key, content, at: 0 },
        { type: 'local.accepted', key, event },
      ];
    });
    const page = { type: 'local.history', events, first: true, more: false, lastSeq: 2 } as const;
    const state = reduce(initialConversationState, [...local, page]);
    expect(state.entries.map(({ key }) => key)).toEqual(['key_evt_1', 'key_evt_2']);
  });

  it('keeps the identity of unchanged entries, and copies the list once for a batch', () => {
    const story = new Story();
    for (let count = 0; count < 50; count += 1) story.log('user.message', text(`${count}`));
    const before = play([
      ...story.told,
      wire({ type: 'event_start', event: { id: 'a', type: 'agent.message' } }),
    ]);
    const delta = { type: 'content_delta', index: 0, content: { type: 'text', text: 'x' } };
    const after = reduce(
      before,
      Array(5).fill(wire({ type: 'event_delta', event_id: 'a', delta })),
    );

    expect(after.entries.slice(0, 50).every((entry, at) => entry === before.entries[at])).toBe(
      true,
    );
    expect(after.entries[50]).toMatchObject({ text: 'xxxxx', progress: 'streaming' });
    expect(before.entries[50]).toMatchObject({ text: '' });
    expect(reduce(after, story.told)).toBe(after);
  });

  it('joins streamed blocks as in the complete text', () => {
    const piece = (index: number, words: string) =>
      wire({
        type: 'event_delta',
        event_id: 'a',
        delta: { type: 'content_delta', index, content: { type: 'text', text: words } },
      });
    const state = play([
      wire({ type: 'event_start', event: { id: 'a', type: 'agent.message' } }),
      piece(0, 'one'),
      piece(1, 'two'),
      piece(1, '!'),
    ]);
    expect(state.entries[0]).toMatchObject({ text: 'one\n\ntwo!' });
  });
});
