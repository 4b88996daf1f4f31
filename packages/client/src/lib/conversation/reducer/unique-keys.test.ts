import type { LiveEvent, LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../state.ts';
import type { ConversationEvent } from './events.ts';
import { reduce } from './index.ts';
import { initialConversationState } from './initial-state.ts';

const ids = fc.constantFrom('evt_a', 'evt_b', 'evt_c', 'evt_d');
const content = [{ type: 'text', text: 'Hi' }];
const baseFields = { processed_at: '2026-01-01T00:00:00Z' };
const error = { type: 'x', message: 'x', retry_status: { type: 'terminal' } };

/** The fields of a log event besides its id and `seq`, by type. */
const logFields: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    type: fc.constant('user.message'),
    content: fc.constant(content),
    parent_id: fc.oneof(fc.constant(undefined), fc.constant(null), ids),
  }),
  fc.constantFrom(
    { type: 'agent.message', content },
    { type: 'agent.thinking', content },
    { type: 'agent.tool_use', name: 'find', input: {} },
    { type: 'agent.card', card: { blocks: [] } },
    { type: 'session.status_running' },
    { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
    { type: 'session.error', error },
    { type: 'span.model_request_start' },
    { type: 'span.model_request_end' },
    { type: 'user.interrupt' },
  ),
  ids.map((id) => ({ type: 'agent.tool_result', tool_use_id: id, content })),
  ids.map((id) => ({ type: 'user.card_action', card_id: id, action: 'ok', parent_id: id })),
);

const logEvents = fc
  .tuple(ids, fc.integer({ min: 1, max: 30 }), logFields)
  .map(([id, seq, rest]) => ({ ...baseFields, id, seq, ...rest }) as LogEvent);

const liveEvents = fc.oneof(
  fc
    .tuple(ids, fc.constantFrom('agent.message', 'agent.thinking'))
    .map(([id, type]) => ({ type: 'event_start', event: { id, type } })),
  ids.map((id) => ({
    type: 'event_delta',
    event_id: id,
    delta: { type: 'content_delta', index: 0, content: { type: 'text', text: 'x' } },
  })),
) as fc.Arbitrary<LiveEvent>;

const localEvents = fc.oneof(
  fc.array(logEvents, { maxLength: 8 }).map((events) => ({
    type: 'local.history' as const,
    events: events.sort((a, b) => a.seq - b.seq),
    first: false,
    more: false,
    lastSeq: 0,
  })),
  fc.constantFrom('open', 'closed', 'reconnecting').map((connection) => ({
    type: 'local.connection' as const,
    connection,
    error: null,
  })),
  fc.tuple(fc.constantFrom('key_1', 'key_2'), logEvents).map(([key, event]) => ({
    type: 'local.accepted' as const,
    key,
    event: { ...event, type: 'user.message', content } as LogEvent<'user.message'>,
  })),
  fc.constantFrom('key_1', 'key_2').map((key) => ({
    type: 'local.delivery' as const,
    key,
    delivery: 'sending' as const,
    error: null,
  })),
) as fc.Arbitrary<ConversationEvent>;

const addedMessages = ['key_1', 'key_2'].map(
  (key): ConversationEvent => ({
    type: 'local.message_added',
    key,
    content: [{ type: 'text', text: 'Hi' }],
    at: 0,
  }),
);

function duplicateKeys({ entries, memory }: ConversationState): string[] {
  const keys = (memory.branches.all ?? entries).map(({ key }) => key);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

describe('keys of entries', () => {
  it('stay unique when two events of the log have the same id', () => {
    const message = { ...baseFields, type: 'agent.message', id: 'evt_a', content };
    const events = [
      { ...message, seq: 1 },
      { ...message, seq: 2 },
    ] as LogEvent[];
    const state = reduce(initialConversationState, events);

    expect(state.entries.map(({ key }) => key)).toEqual(['evt_a']);
  });

  it('stay unique when a live event has the id of a user message', () => {
    const state = reduce(initialConversationState, [
      { ...baseFields, type: 'user.message', id: 'evt_a', seq: 1, content } as LogEvent,
      { type: 'event_start', event: { id: 'evt_a', type: 'agent.message' } },
    ]);

    expect(state.entries.map(({ kind, key }) => [kind, key])).toEqual([['user', 'evt_a']]);
  });

  it('stay unique for any sequence of events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(logEvents, liveEvents, localEvents), { maxLength: 40 }),
        (events) => {
          let state = reduce(initialConversationState, addedMessages);
          for (const event of events) {
            state = reduce(state, event);
            expect(duplicateKeys(state)).toEqual([]);
          }
          const batch = reduce(reduce(initialConversationState, addedMessages), events);
          expect(duplicateKeys(batch)).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
