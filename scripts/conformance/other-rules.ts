/** A rule of the API that the conformance suite does not test. */
export interface OtherRule {
  /** Numbers of the rule, such as `4.13.2`: one for each section that contains the rule. */
  readonly numbers: readonly string[];
  readonly text: string;
  /**
   * - `tested elsewhere`: the rule is not about the server's interface. `where` lists its tests.
   * - `not provided`: the platform does not have the feature that the rule describes.
   */
  readonly state: 'tested elsewhere' | 'not provided';
  readonly reason: string;
  /** Test files that cover the rule, as paths in the repository. */
  readonly where?: readonly string[];
}

const noRunOperations =
  'runs are not part of the interface, so `latest_run` is null; `@inlay/protocol` has its schema';
const noActionRuns = 'the platform does not run actions';

const notProvided = (numbers: string[], text: string, reason: string): OtherRule => ({
  numbers,
  text,
  state: 'not provided',
  reason,
});

export const otherRules: readonly OtherRule[] = [
  notProvided(
    ['2.4'],
    '`latest_run` summarizes the latest run, with its number and its current wait',
    noRunOperations,
  ),
  notProvided(['3.4'], 'a run has one of seven statuses', noRunOperations),
  notProvided(['3.5'], 'a wait is open, resolved, expired or cancelled', noRunOperations),
  notProvided(
    ['3.6', '6.1'],
    '`database.status_failed` is the event of a database that failed',
    'the platform keeps schemas only, so that provisioning cannot fail',
  ),
  notProvided(
    ['2.6', '6.2'],
    'processing, searches and batch jobs are events, with `kind` and `job_id`',
    'the platform does not process media',
  ),
  notProvided(
    ['7.4'],
    'GENERATION_NOT_FOUND is for a missing generation record',
    'the interface has no operation that reads one; the problem code exists, with its page',
  ),
  notProvided(
    ['2.3'],
    'idempotent actions are retried with the same idempotency key',
    noActionRuns,
  ),
  notProvided(
    ['2.3'],
    'calls, failures and the median duration of seven days are counted',
    noActionRuns,
  ),
  notProvided(
    ['2.3'],
    'a reference without a namespace is one to `praxis`',
    'the platform has no actions of its own',
  ),
  notProvided(
    ['2.3', '8.4'],
    'the default of `timeout_ms` is 600000 for containers and shell scripts',
    'they cannot be created yet',
  ),
  {
    numbers: ['4.8'],
    text: 'tokens are kept in the memory of the page only',
    state: 'tested elsewhere',
    reason: 'in browsers',
    where: ['e2e/stories/secrets.slow.spec.ts'],
  },
  {
    numbers: ['4.8'],
    text: 'the backend confirms that the user is signed in before it issues again',
    state: 'tested elsewhere',
    reason: 'in the token endpoint for backends',
    where: [
      'packages/node/src/lib/token-endpoint.test.ts',
      'e2e/faults/token-endpoint.slow.test.ts',
    ],
  },
  {
    numbers: ['7.5.1', '7.5.2'],
    text: 'the client for backends retries by these rules, and never retries a 501',
    state: 'tested elsewhere',
    reason: 'in `@inlay/node`',
    where: ['packages/node/src/lib/retries.test.ts'],
  },
  {
    numbers: ['9.3'],
    text: 'removed members, changed types and tightened validation are breaking changes; new members and endpoints are not',
    state: 'tested elsewhere',
    reason: '`npm run check` compares with the last release',
    where: ['scripts/api/breaking-changes.test.ts'],
  },
];
