/** Returns an item of a list, and throws if the index is out of range. */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} of ${items.length}.`);
  return item;
}
