/** Processes all items with limited concurrency. */
export async function each<T>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
