export interface Rounds {
  /** Number of measured rounds. */
  rounds: number;
  /**
   * Number of discarded rounds at the start, which warm up caches, compilers and files.
   *
   * @default 1
   */
  warmUp?: number;
}

/**
 * Takes one sample of each candidate per round, so that changes in the speed of the machine affect
 * all candidates. The order is reversed in every second round.
 */
export async function interleave<Name extends string, Sample>(
  candidates: Record<Name, () => Promise<Sample>>,
  { rounds, warmUp = 1 }: Rounds,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(candidates) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await candidates[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
