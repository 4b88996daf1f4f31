/** Measures the processor time of `work` in milliseconds. */
async function cpuTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Measures the growth of processor time for eight times the input: about 8 for linear time, about
 * 64 for quadratic time.
 *
 * @param floor Minimum milliseconds of a measurement, because the clock is coarse.
 */
export async function cpuGrowth(
  work: (size: number) => unknown,
  size: number,
  floor = 20,
): Promise<number> {
  await work(size);
  const small = Math.max(floor, await cpuTime(() => work(size)));
  const large = Math.max(floor, await cpuTime(() => work(size * 8)));
  return large / small;
}
