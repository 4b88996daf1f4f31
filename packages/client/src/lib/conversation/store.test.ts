import { describe, expect, it } from 'vitest';
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
function setup() {
  let paint: (() => void) | null = null;
  let notified = 0;
  const store = new ConversationStore({
    frame: (callback) => {
      paint = callback;
      return () => {
        paint = null;
      };
    },
    onDiagnostic: () => {},
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
});
