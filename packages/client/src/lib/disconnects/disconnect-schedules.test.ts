import { describe, it } from 'vitest';
import { sampleSize } from '../random-programs/sample.ts';
import { checkDisconnectSchedules } from './check-disconnect-schedules.ts';

describe('SessionStream with random disconnects', () => {
  it(
    'S03, S04, S24: reaches the state of an uninterrupted stream when events are cut off, split, repeated or missed',
    { timeout: 3_600_000 },
    () => checkDisconnectSchedules(sampleSize),
  );
});
