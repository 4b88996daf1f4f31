import { expect, it } from 'vitest';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { createLogger } from '../log/logger.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { coalescingWindow, PartialEvent } from './partial-event.ts';

function setup() {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const bus = createInProcessBus(log);
  const published: [number, string][] = [];
  bus.subscribe((message) => {
    if (message.kind === 'session_delta') published.push([message.offset, message.text]);
  });
  const event = new PartialEvent('ses_1', { id: 'evt_1', type: 'agent.message' }, 3, {
    bus,
    clock,
    log,
  });
  return { clock, event, published };
}

it('PartialEvent publishes the first fragment immediately, and later fragments together every `coalescingWindow`', () => {
  const { clock, event, published } = setup();

  event.add('a');
  expect(published).toEqual([[0, 'a']]);

  event.add('b');
  event.add('c');
  clock.advance(coalescingWindow - 1);
  expect(published).toHaveLength(1);
  clock.advance(1);
  expect(published.slice(1)).toEqual([[1, 'bc']]);

  event.add('d');
  expect(published).toHaveLength(2);
  clock.advance(coalescingWindow);
  expect(published.slice(2)).toEqual([[3, 'd']]);

  clock.advance(2 * coalescingWindow);
  event.add('e');
  expect(published.slice(3)).toEqual([[4, 'e']]);

  event.add('f');
  event.close();
  expect(published.slice(4)).toEqual([[5, 'f']]);
});

it('PartialEvent publishes at most once per `coalescingWindow` during a fast answer', () => {
  const { clock, event, published } = setup();

  for (let time = 0; time < 1_000; time += 5) {
    event.add('.');
    clock.advance(5);
  }

  expect(published.length).toBeGreaterThan(35);
  expect(published.length).toBeLessThanOrEqual(1_000 / coalescingWindow + 1);
  expect(published.map(([, text]) => text).join('')).toHaveLength(200);
});

it('PartialEvent publishes nothing again once it is closed, because the log then has the whole event', () => {
  const { event, published } = setup();
  event.add('Hello');
  event.repeat();
  expect(published).toEqual([
    [0, 'Hello'],
    [0, 'Hello'],
  ]);

  event.close();
  event.repeat();

  expect(published).toHaveLength(2);
});
