import { expect, it } from 'vitest';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { createLogger } from '../log/logger.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { coalescingWindow, LivePart } from './live-part.ts';

it('sends the first fragment at once, and gathers what comes within the window after it', () => {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const bus = createInProcessBus(log);
  const heard: [number, string][] = [];
  bus.subscribe((message) => {
    if (message.kind === 'session_delta') heard.push([message.offset, message.text]);
  });
  const part = new LivePart('ses_1', { id: 'evt_1', type: 'agent.message' }, { bus, clock, log });

  part.add('a');
  expect(heard).toEqual([[0, 'a']]);

  part.add('b');
  part.add('c');
  clock.advance(coalescingWindow - 1);
  expect(heard).toHaveLength(1);
  clock.advance(1);
  expect(heard.slice(1)).toEqual([[1, 'bc']]);

  part.add('d');
  part.close();
  expect(heard.slice(2)).toEqual([[3, 'd']]);
});
