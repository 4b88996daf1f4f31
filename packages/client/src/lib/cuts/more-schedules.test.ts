import { describe, it } from 'vitest';
import { readBySchedules } from './schedules.ts';

describe('what reads a session', () => {
  it(
    'S03, S04, S24: tells the same story whatever is cut, split, sent again and missed, in 50,000 more',
    { timeout: 3_600_000 },
    () => readBySchedules(50_000, 100_000),
  );
});
