import { describe, it } from 'vitest';
import { sampleSize } from '../model/sample.ts';
import { checkSchedules } from './schedules.ts';

describe('reading a session', () => {
  it(
    'S03, S04, S24: ends in the same state when events are cut, split, repeated or missing',
    { timeout: 3_600_000 },
    () => checkSchedules(sampleSize),
  );
});
