const runs = 3;

/**
 * Measures the processor time of `work` in milliseconds: the minimum of several runs, because the time is
 * that of the whole process, whose garbage collection and compiler also work.
 */
async function cpuTime(work: () => unknown): Promise<number> {
  let minimum = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    minimum = Math.min(minimum, (user + system) / 1000);
  }
  return minimum;
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
  const small = Math.max(floor, await cpuTime(() => work(size)));
  const large = Math.max(floor, await cpuTime(() => work(size * 8)));
  return large / small;
}
