import type { LiveEvent, LogEvent } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../state.ts';
import type { ConversationEvent } from './events.ts';
import { reduce } from './index.ts';
import { initialConversationState } from './initial-state.ts';

type ServerEvent = LogEvent | LiveEvent;
type Json = Record<string, unknown>;

function serverEvent(value: Json): ServerEvent {
  const read = readEvent(value);
  if (read.kind !== 'log' && read.kind !== 'live') throw new Error(`not an event: ${read.kind}`);
  return read.event;
}

const textContent = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** Builds the events that a server sends for a conversation, including live fragments. */
class EventBuilder {
  readonly events: ServerEvent[] = [];
  #seq = 0;

  log(type: string, fields: Json = {}): string {
    this.#seq += 1;
    const id = `evt_${this.#seq}`;
    const processed_at = new Date(this.#seq * 1000).toISOString();
    this.events.push(serverEvent({ id, type, seq: this.#seq, processed_at, ...fields }));
    return id;
  }

  /** @param interruption Text of a user message that arrives after the first fragment. */
  stream(id: string, type: string, fragments: readonly string[], interruption?: string): void {
    this.events.push(serverEvent({ type: 'event_start', event: { id, type } }));
    for (const [index, fragment] of fragments.entries()) {
      if (interruption !== undefined && index === 1)
        this.log('user.message', textContent(interruption));
      this.events.push(
        serverEvent({
          type: 'event_delta',
          event_id: id,
          delta: { type: 'content_delta', index: 0, content: { type: 'text', text: fragment } },
        }),
      );
    }
    this.log(type, { id, ...textContent(fragments.join('')) });
  }
}

const turn = fc.record({
  question: fc.string(),
  thinking: fc.array(fc.string(), { maxLength: 3 }),
  fragments: fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 }),
  interruption: fc.option(fc.string(), { nil: undefined }),
  tool: fc.boolean(),
  fails: fc.boolean(),
});

const eventLists = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
  const builder = new EventBuilder();
  for (const [
    index,
    { question, thinking, fragments, interruption, tool, fails },
  ] of turns.entries()) {
    builder.log('user.message', textContent(question));
    builder.log('session.status_running');
    builder.log('span.model_request_start');
    if (thinking.length > 0) builder.stream(`thinking_${index}`, 'agent.thinking', thinking);
    builder.stream(`message_${index}`, 'agent.message', fragments, interruption);
    if (tool) {
      const id = builder.log('agent.tool_use', { name: 'look', input: {} });
      builder.log('agent.tool_result', { tool_use_id: id, ...textContent('found') });
    }
    if (fails) {
      const error = { type: 'billing_error', message: 'no', retry_status: { type: 'exhausted' } };
      builder.log('session.error', { error });
    }
    builder.log('session.status_idle', { stop_reason: { type: 'end_turn' } });
  }
  return builder.events;
});

const isLogEvent = (event: ServerEvent): event is LogEvent => 'seq' in event;
const reduceEach = (events: readonly ConversationEvent[], from = initialConversationState) =>
  events.reduce<ConversationState>((state, event) => reduce(state, event), from);

/** Returns the events that a resumed stream sends: the log since `lastSeq`, then the partial event. */
function resumedEvents(all: readonly ServerEvent[], count: number, lastSeq: number): ServerEvent[] {
  const before = all.slice(0, count);
  const missed = before.filter((event) => isLogEvent(event) && event.seq > lastSeq);
  const start = before.findLast((event) => event.type === 'event_start');
  if (start?.type !== 'event_start') return missed;
  const { id } = start.event;
  if (before.some((event) => isLogEvent(event) && event.id === id)) return missed;
  const partialText = before
    .flatMap((each) => (each.type === 'event_delta' && each.event_id === id ? [each] : []))
    .map((each) => each.delta.content.text)
    .join('');
  const content = { type: 'text', text: partialText };
  const delta = { type: 'content_delta', index: 0, content };
  return [...missed, start, serverEvent({ type: 'event_delta', event_id: id, delta })];
}

describe('reduce', () => {
  it('returns the same entries for any disconnects, repeated events and batch sizes', () => {
    const disconnects = fc.array(fc.tuple(fc.nat(200), fc.nat(200), fc.boolean()), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        eventLists,
        disconnects,
        fc.integer({ min: 1, max: 9 }),
        (events, cuts, batch) => {
          const complete = reduceEach(events);
          let state = initialConversationState;
          let position = 0;
          const ordered = cuts
            .map(([from, gap, repeat]) => ({ from: from % events.length, gap: gap % 20, repeat }))
            .sort((a, b) => a.from - b.from);
          for (const { from, gap, repeat } of ordered) {
            if (from < position) continue;
            for (let next = position; next < from; next += batch) {
              state = reduce(state, events.slice(next, Math.min(next + batch, from)));
            }
            position = Math.min(events.length, from + gap);
            const resumed = resumedEvents(events, position, state.lastSeq);
            state = reduceEach(resumed, state);
            if (repeat) state = reduceEach(resumed.filter(isLogEvent), state);
          }
          state = reduceEach(events.slice(position), state);

          expect(state.entries).toEqual(complete.entries);
          expect(state.running).toBe(false);
          expect(state.memory.previews).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('returns the same entries for a log without fragments, and for pages of any size', () => {
    fc.assert(
      fc.property(eventLists, fc.integer({ min: 1, max: 7 }), (events, size) => {
        const complete = reduceEach(events);
        const logged = events.filter(isLogEvent);
        expect(reduceEach(logged).entries).toEqual(complete.entries);

        const paged: ConversationEvent[] = [];
        for (let end = logged.length; end > 0; end -= size) {
          const pageEvents = logged.slice(Math.max(0, end - size), end);
          const first = end === logged.length;
          const page = { first, more: end > size, lastSeq: logged.length };
          paged.push({ type: 'local.history', events: pageEvents, ...page });
        }
        expect(reduceEach(paged).entries).toEqual(complete.entries);
      }),
    );
  });

  it('marks an unanswered tool call as denied when the user sends another message', () => {
    const builder = new EventBuilder();
    builder.log('user.message', textContent('Send it'));
    const id = builder.log('agent.tool_use', {
      name: 'send',
      input: {},
      evaluated_permission: 'ask',
    });
    builder.log('session.status_idle', {
      stop_reason: { type: 'requires_action', event_ids: [id] },
    });
    builder.log('user.message', textContent('Something else'));
    builder.log('agent.tool_result', {
      tool_use_id: id,
      is_error: true,
      ...textContent('not allowed'),
    });

    const state = builder.events.reduce<ConversationState>(
      (before, event) => reduce(before, event),
      initialConversationState,
    );

    expect(state.entries.find((entry) => entry.kind === 'tool')?.progress).toBe('denied');
  });

  it('applies a tool result that was loaded before its call', () => {
    const builder = new EventBuilder();
    builder.log('user.message', textContent('Look'));
    const id = builder.log('agent.tool_use', { name: 'look', input: {} });
    builder.log('agent.tool_result', { tool_use_id: id, ...textContent('found') });
    builder.log('session.status_idle', { stop_reason: { type: 'end_turn' } });
    const logged = builder.events.filter(isLogEvent);
    const page = { type: 'local.history', lastSeq: 4 } as const;
    const state = reduceEach([
      { ...page, events: logged.slice(2), first: true, more: true },
      { ...page, events: logged.slice(0, 2), first: false, more: false },
    ]);
    expect(state.entries.map((entry) => entry.kind)).toEqual(['user', 'tool']);
    expect(state.entries[1]).toMatchObject({ progress: 'done', result: 'found' });
    expect(state).toMatchObject({ loading: false, lastSeq: 4 });
  });

  it('gives an answer that streams after a page of the log was loaded the time of its last event', () => {
    const builder = new EventBuilder();
    builder.log('user.message', textContent('One'));
    builder.log('session.status_running');
    const events = builder.events.filter(isLogEvent);
    const state = reduceEach([
      { type: 'local.history', events, first: true, more: false, lastSeq: 2 },
      serverEvent({ type: 'event_start', event: { id: 'a', type: 'agent.message' } }),
    ]);

    expect(state.entries.map(({ at }) => at)).toEqual([1000, 2000]);
  });

  it('returns one entry for a message that is sent while its page of the log is loading', () => {
    const builder = new EventBuilder();
    builder.log('user.message', textContent('One'));
    builder.log('user.message', textContent('Two'));
    const events = builder.events.filter(isLogEvent);
    const local: ConversationEvent[] = events.flatMap((event) => {
      if (event.type !== 'user.message') return [];
      const key = `key_${event.id}`;
      const content = [{ type: 'text' as const, text: event.id }];
      return [
        { type: 'local.message_added', key, content, at: 0 },
        { type: 'local.accepted', key, event },
      ];
    });
    const page = { type: 'local.history', events, first: true, more: false, lastSeq: 2 } as const;
    const state = reduce(initialConversationState, [...local, page]);
    expect(state.entries.map(({ key }) => key)).toEqual(['key_evt_1', 'key_evt_2']);
  });

  it('keeps the identity of unchanged entries and of an unchanged state', () => {
    const builder = new EventBuilder();
    for (let count = 0; count < 50; count += 1)
      builder.log('user.message', textContent(`${count}`));
    const before = reduceEach([
      ...builder.events,
      serverEvent({ type: 'event_start', event: { id: 'a', type: 'agent.message' } }),
    ]);
    const delta = { type: 'content_delta', index: 0, content: { type: 'text', text: 'x' } };
    const after = reduce(
      before,
      Array(5).fill(serverEvent({ type: 'event_delta', event_id: 'a', delta })),
    );

    expect(
      after.entries.slice(0, 50).every((entry, index) => entry === before.entries[index]),
    ).toBe(true);
    expect(after.entries[50]).toMatchObject({ text: 'xxxxx', progress: 'streaming' });
    expect(before.entries[50]).toMatchObject({ text: '' });
    expect(reduce(after, builder.events)).toBe(after);
  });

  it('separates streamed blocks by a blank line', () => {
    const fragment = (index: number, words: string) =>
      serverEvent({
        type: 'event_delta',
        event_id: 'a',
        delta: { type: 'content_delta', index, content: { type: 'text', text: words } },
      });
    const state = reduceEach([
      serverEvent({ type: 'event_start', event: { id: 'a', type: 'agent.message' } }),
      fragment(0, 'one'),
      fragment(1, 'two'),
      fragment(1, '!'),
    ]);
    expect(state.entries[0]).toMatchObject({ text: 'one\n\ntwo!' });
  });
});
