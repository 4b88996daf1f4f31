interface PendingCall<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Maximum batches in progress: two, so that a remote store is not idle between two batches. */
const maxConcurrent = 2;

/**
 * Combines the calls of one turn of the event loop into one call of `work`, such as a transaction,
 * whose commit costs the same for one item as for many. Calls that arrive while the maximum number
 * of batches is in progress wait for the next batch.
 *
 * @param maximum Maximum items in a batch.
 * @param work Returns an outcome for each item, in order. If it rejects, all calls of the batch
 *   reject.
 */
export function batch<Item, Outcome>(
  maximum: number,
  work: (items: readonly Item[]) => Promise<readonly Outcome[]>,
): (item: Item) => Promise<Outcome> {
  let queue: PendingCall<Item, Outcome>[] = [];
  let active = 0;
  let isDue = false;

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      schedule();
    });

  function schedule(): void {
    if (isDue || queue.length === 0 || active >= maxConcurrent) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      const group = queue.slice(0, maximum);
      queue = queue.slice(maximum);
      active += 1;
      void settle(group).finally(() => {
        active -= 1;
        schedule();
      });
      schedule();
    });
  }

  async function settle(group: readonly PendingCall<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await work(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
