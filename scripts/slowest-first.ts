import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, roughly in descending order. */
const slowestFiles = [
  'client/src/lib/disconnects/disconnect-schedules',
  'client/src/lib/random-programs/random-programs',
  'client/src/lib/disconnects/recorded-session',
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
 * Runs the slowest test files first, so that no worker is idle at the end of a run. Vitest can do
 * this only with the durations in its cache, which a fresh checkout does not have.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowestFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index < 0 ? slowestFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
