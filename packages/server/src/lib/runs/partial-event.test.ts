import { expect, it } from 'vitest';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { createLogger } from '../log/logger.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { coalescingWindow, PartialEvent } from './partial-event.ts';

it('PartialEvent publishes the first fragment immediately, and later fragments together every `coalescingWindow`', () => {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const bus = createInProcessBus(log);
  const published: [number, string][] = [];
  bus.subscribe((message) => {
    if (message.kind === 'session_delta') published.push([message.offset, message.text]);
  });
  const event = new PartialEvent(
    'ses_1',
    { id: 'evt_1', type: 'agent.message' },
    { bus, clock, log },
  );

  event.add('a');
  expect(published).toEqual([[0, 'a']]);

  event.add('b');
  event.add('c');
  clock.advance(coalescingWindow - 1);
  expect(published).toHaveLength(1);
  clock.advance(1);
  expect(published.slice(1)).toEqual([[1, 'bc']]);

  event.add('d');
  event.close();
  expect(published.slice(2)).toEqual([[3, 'd']]);
});
