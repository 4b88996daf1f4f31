/**
 * Rolldown's `codeSplitting` that keeps each of some entries in one file with everything that it
 * imports statically, but for what is in one before it. Shared modules would get files of their own:
 * more to ask for before the first line runs, and each compresses worse than as a part of the whole.
 *
 * @param {...RegExp} entries - What is always loaded, in the order in which it is.
 */
export function inOneFile(...entries) {
  const groups = entries.map((test, index) => ({
    name: /([\w-]+)\\\.ts/.exec(test.source)?.[1] ?? 'entry',
    test,
    includeDependenciesRecursively: true,
    priority: entries.length - index,
  }));
  return { groups };
}

/** The message list and Markdown. */
export const messages = /message-list\/message-chunk\.ts$/;
