import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, roughly in this order. */
const longest = [
  'client/src/lib/cuts/schedules',
  'client/src/lib/model/model',
  'client/src/lib/cuts/cuts',
  'server/src/processes/rolling-restart',
  'server/src/processes/streams',
  'e2e/faults/contract-streams',
  'e2e/faults/contract-sessions',
  'e2e/faults/processes',
  'e2e/faults/rotations',
  'e2e/fuzz/fuzz',
  'server/src/processes',
];

/**
 * Starts the files that take longest first, so that no worker is idle at the end of a run. Vitest
 * remembers durations in its cache, which a fresh checkout doesn't have.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
