import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, DiagnosticListener } from '../diagnostics.ts';
import type { ConversationEvent } from './reducer/events.ts';
import { reduce } from './reducer/index.ts';
import { initialConversationState } from './reducer/initial-state.ts';
import { ConversationStore } from './store.ts';

const content = [{ type: 'text' as const, text: 'Look' }];
const events: readonly ConversationEvent[] = [
  { type: 'local.message_added', key: 'a', at: 0, content },
  { type: 'local.delivery', key: 'a', delivery: 'sending', error: null },
  {
    id: 'evt_1',
    type: 'user.message',
    seq: 1,
    processed_at: new Date(1_000).toISOString(),
    content,
    parent_id: null,
  },
];

/** A store whose animation frame runs when `paint` is called. */
function setup(onDiagnostic: DiagnosticListener = () => {}) {
  let paint: (() => void) | null = null;
  let notified = 0;
  const store = new ConversationStore({
    frame: (callback) => {
      paint = callback;
      return () => {
        paint = null;
      };
    },
    onDiagnostic,
  });
  store.subscribe(() => {
    notified += 1;
  });
  return {
    store,
    paint: () => paint?.(),
    isFramePending: () => paint !== null,
    notified: () => notified,
  };
}

describe('ConversationStore', () => {
  it('reduces events in order, and notifies its listeners once in the next frame', () => {
    const { store, paint, notified } = setup();
    for (const event of events) store.dispatch(event);

    expect(store.state).toEqual(reduce(initialConversationState, events));
    expect(store.state).toBe(store.state);
    expect(notified()).toBe(0);
    paint();
    expect(notified()).toBe(1);
  });

  it('notifies its listeners synchronously when it is closed, and not afterwards', () => {
    const { store, isFramePending, notified } = setup();
    for (const event of events) store.dispatch(event);
    store.reset();
    store.close();

    expect(store.state).toBe(initialConversationState);
    expect(notified()).toBe(1);
    store.scheduleNotification();
    expect(isFramePending()).toBe(false);
  });

  it('skips an event that can’t be reduced, reports it with its id, and reduces all others', () => {
    const diagnostics: Diagnostic[] = [];
    const { store } = setup((diagnostic) => {
      diagnostics.push(diagnostic);
      // The page may read the state in its listener.
      expect(store.state.lastSeq).toBe(3);
    });
    for (const event of [agentMessage(1), brokenMessage(2), agentMessage(3)]) store.dispatch(event);

    expect(textsIn(store)).toEqual(['1', '3']);
    expect(store.state.lastSeq).toBe(3);
    store.dispatch(agentMessage(4));
    expect(textsIn(store)).toEqual(['1', '3', '4']);
    expect(diagnostics).toEqual([
      { type: 'unexpected_error', error: expect.any(TypeError), eventId: 'evt_2' },
    ]);
  });

  it('skips only the event of a page of the log that can’t be reduced', () => {
    const diagnostics: Diagnostic[] = [];
    const { store } = setup((diagnostic) => diagnostics.push(diagnostic));
    const page = [agentMessage(1), brokenMessage(2), agentMessage(3)];
    store.dispatch({ type: 'local.loading', loading: true });
    store.dispatch({ type: 'local.history', events: page, first: true, more: false, lastSeq: 3 });
    store.dispatch(agentMessage(4));

    expect(textsIn(store)).toEqual(['1', '3', '4']);
    expect(store.state).toMatchObject({ loading: false, hasEarlier: false, lastSeq: 4 });
    expect(diagnostics).toEqual([
      { type: 'unexpected_error', error: expect.any(TypeError), eventId: 'evt_2' },
    ]);
  });
});

/** Returns the texts of the entries. */
function textsIn({ state }: ConversationStore): string[] {
  return state.entries.map((entry) => (entry.kind === 'agent' ? entry.text : entry.kind));
}

function agentMessage(seq: number): LogEvent<'agent.message'> {
  return {
    id: `evt_${seq}`,
    type: 'agent.message',
    seq,
    processed_at: new Date(seq).toISOString(),
    content: [{ type: 'text', text: String(seq) }],
  };
}

/** An event that the reducer fails at. */
function brokenMessage(seq: number): LogEvent<'agent.message'> {
  return { ...agentMessage(seq), content: null as never };
}
