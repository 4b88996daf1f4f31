import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { initialConversationState } from './initial-state.ts';
import { reduce } from './reducer.ts';
import { StateKeeper } from './state-keeper.ts';
import * as story from './story.ts';
import { provideStory } from './story-code.ts';

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
          provideStory(story);
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
  it('keeps events in their order until the code for them is there, and asks for it once', async () => {
    const { keeper, arrive, asked, painted } = setup();
    expect(keeper.late(false)).toBeNull();
    for (const event of events) keeper.tell(event);

    expect(keeper.state.entries.map(({ id }) => id)).toEqual(['evt_1']);
    expect(keeper.state.lastSeq).toBe(1);
    expect(asked()).toBe(1);

    const late = keeper.late(false);
    const before = painted();
    arrive();
    await late;
    expect(keeper.state).toEqual(reduce(initialConversationState, events));
    expect(keeper.late(true)).toBeNull();
    await Promise.resolve();
    expect(painted()).toBeGreaterThan(before);
  });
});
