export interface Rounds {
  /** Rounds that count. */
  rounds: number;
  /** Rounds before them, thrown away: caches, compilers and files warm up. Default 1. */
  warmUp?: number;
}

/**
 * Takes one sample of each contender in every round, so that a machine that gets slower or busier
 * meanwhile is slow for all. Every second round goes backwards: nobody is always first.
 */
export async function interleave<Name extends string, Sample>(
  contenders: Record<Name, () => Promise<Sample>>,
  { rounds, warmUp = 1 }: Rounds,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await contenders[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
