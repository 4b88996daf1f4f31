import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { initialConversationState } from './initial-state.ts';
import type { ConversationEvent } from './local-events.ts';
import { reduce } from './reducer.ts';
import { StateKeeper } from './state-keeper.ts';
import * as storyCode from './story.ts';
import { story } from './story-code.ts';

function logged(seq: number, type: string, fields: object): LogEvent {
  const processed_at = new Date(seq * 1000).toISOString();
  return { id: `evt_${seq}`, type, seq, processed_at, ...fields } as LogEvent;
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const events = [
  logged(1, 'user.message', { ...text('Look'), parent_id: null }),
  logged(2, 'agent.tool_use', { name: 'look', input: {} }),
  logged(3, 'agent.tool_result', { tool_use_id: 'evt_2', ...text('found') }),
  logged(4, 'agent.message', text('There it is')),
];

/** A keeper whose code for all that is rare comes when `arrive` is called. */
function setup() {
  let arrive = () => {};
  let asked = 0;
  let painted = 0;
  const keeper = new StateKeeper({
    frame: (callback) => {
      queueMicrotask(callback);
      return () => {};
    },
    onDiagnostic: () => {},
    load: () => {
      asked += 1;
      return new Promise<void>((resolve) => {
        arrive = () => {
          story.provide(storyCode);
          resolve();
        };
      });
    },
  });
  keeper.subscribe(() => {
    painted += 1;
  });
  return { keeper, arrive: () => arrive(), asked: () => asked, painted: () => painted };
}

describe('StateKeeper', () => {
  it('keeps events in their order until the code for them is there, and shows what was said', async () => {
    const { keeper, arrive, asked, painted } = setup();
    const typed = { type: 'local.typed', key: 'a', at: 0, ...text('Look') } as const;
    const sending = { type: 'local.delivery', key: 'a', delivery: 'sending', error: null } as const;
    const told = [typed, sending, ...events];
    for (const event of told) keeper.tell(event as ConversationEvent);

    const { state } = keeper;
    expect(state.entries.map(({ key }) => key)).toEqual(['a']);
    expect(state).toMatchObject({ running: true, lastSeq: 0 });
    expect(keeper.state).toBe(state);

    const loads = [keeper.load(), keeper.load()];
    expect(asked()).toBe(1);
    const before = painted();
    arrive();
    await Promise.all(loads);
    expect(keeper.state).toEqual(reduce(initialConversationState, told as ConversationEvent[]));
    expect(keeper.state.entries.map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_4']);
    await Promise.resolve();
    expect(painted()).toBeGreaterThan(before);

    await keeper.load();
    expect(asked()).toBe(1);
  });
});
