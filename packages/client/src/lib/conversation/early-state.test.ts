import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { early } from './early-state.ts';
import { initialConversationState } from './initial-state.ts';
import type { LocalEvent } from './local-events.ts';
import { reduce } from './reducer.ts';
import type { ConversationState } from './state.ts';

const key = fc.constantFrom('a', 'b', 'c');
const error = new InlayError('NETWORK_ERROR', 'The connection failed.', { retryable: true });

/** What can happen before anything is read. */
const acts: fc.Arbitrary<LocalEvent> = fc.oneof(
  fc.record({
    type: fc.constant('local.delivery' as const),
    key,
    delivery: fc.constantFrom('queued' as const, 'sending' as const, 'failed' as const),
    error: fc.constantFrom(null, error),
  }),
  fc.record({ type: fc.constant('local.discarded' as const), key }),
  fc.record({ type: fc.constant('local.stop' as const), wanted: fc.boolean() }),
  fc.record({ type: fc.constant('local.loading' as const), loading: fc.boolean() }),
  fc.record({
    type: fc.constant('local.connection' as const),
    connection: fc.constantFrom('idle' as const, 'connecting' as const, 'closed' as const),
    error: fc.constantFrom(null, error),
  }),
);

/** Three messages at most, each with a key of its own, among whatever else happens. */
const histories = fc
  .tuple(fc.subarray(['a', 'b', 'c']), fc.array(fc.tuple(fc.nat(3), acts), { maxLength: 12 }))
  .map(([said, happened]) => {
    const events: LocalEvent[] = said.map((name, at) => ({
      type: 'local.typed',
      key: name,
      at,
      content: [{ type: 'text', text: `Message ${name}` }],
    }));
    for (const [from, act] of happened) events.splice(events.length - from, 0, act);
    return events;
  });

describe('early', () => {
  it('shows what the whole reducer shows, after whatever can happen before that is there', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { memory: _, ...shown } = events.reduce(early, initialConversationState);
        const { memory: __, ...whole } = events.reduce<ConversationState>(
          (state, event) => reduce(state, event),
          initialConversationState,
        );
        expect(shown).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what a message has to follow', () => {
    const content = [{ type: 'text' as const, text: 'Instead' }];
    const typed = { type: 'local.typed', key: 'a', at: 0, content, parent: 'evt_1' } as const;
    const { parents } = early(initialConversationState, typed).memory.branches;
    expect([...parents]).toEqual([['a', 'evt_1']]);
  });
});
