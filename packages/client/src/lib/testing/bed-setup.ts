import { onTestFinished } from 'vitest';
import { createTestBed, type TestBed, type TestBedOptions } from './test-bed.ts';

/** Creates a test bed, and closes it after the test, which fails if anything is left open. */
export function setupBed(options: TestBedOptions = {}): TestBed {
  const bed = createTestBed(options);
  onTestFinished(() => bed.close());
  return bed;
}
