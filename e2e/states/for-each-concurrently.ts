/** Processes items with limited concurrency. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await run(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
