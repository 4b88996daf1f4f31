/** Milliseconds of processor time that this process spends on `work`. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * How much more processor time work takes for eight times the input: about 8 where time is
 * proportional to length, about 64 where it is quadratic. Work that takes less than `floor`
 * milliseconds counts as that long, because the clock is not finer.
 */
export async function growthOverEight(
  work: (size: number) => unknown,
  size: number,
  floor = 20,
): Promise<number> {
  await work(size);
  const small = Math.max(floor, await cpuTime(() => work(size)));
  const large = Math.max(floor, await cpuTime(() => work(size * 8)));
  return large / small;
}
