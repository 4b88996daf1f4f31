import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, more or less in this order. */
const longest = [
  'client/src/lib/cuts/schedules',
  'client/src/lib/cuts/more-schedules',
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
 * Begins with the files that take longest, so that at the end of a run no worker waits for one that
 * began late. Vitest knows from its cache how long each took; a fresh checkout has none.
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
