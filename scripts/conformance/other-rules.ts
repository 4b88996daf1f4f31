/** A rule of the service reference that the conformance suite does not test. */
export interface OtherRule {
  /** Its number, such as `4.13.2`, in each section that has it. */
  readonly numbers: readonly string[];
  readonly text: string;
  /**
   * - `tested elsewhere`: it is about another part than the server's interface. `where` lists the tests.
   * - `not provided`: the platform does not have it.
   * - `no behaviour`: it describes people or the future; no request can show it.
   */
  readonly state: 'tested elsewhere' | 'not provided' | 'no behaviour';
  readonly reason: string;
  /** Test files that cover it, as paths in the repository. */
  readonly where?: readonly string[];
}

export const otherRules: readonly OtherRule[] = [];
