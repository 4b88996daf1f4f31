/** Rolldown options for the chunks of the chat, for the build and for the benchmark. */

const messages = /message-list\/message-chunk\.ts$/;

/**
 * Returns `codeSplitting` with two chunks: the entry with everything that it imports, and the message
 * list with the rest of what it imports. Otherwise, shared modules would become chunks of their own:
 * more requests, worse compression.
 *
 * @param {RegExp} entry - Path of the entry module.
 */
export function inTwoChunks(entry) {
  const group = { includeDependenciesRecursively: true };
  return {
    groups: [
      { ...group, name: 'launch', test: entry, priority: 2 },
      { ...group, name: 'message-chunk', test: messages, priority: 1 },
    ],
  };
}

/**
 * `postBanner` that has V8 compile the functions of the two chunks while it fetches them, in another
 * thread: https://v8.dev/blog/explicit-compile-hints
 *
 * @param {{ isEntry: boolean, name: string }} chunk
 */
export const compileHint = ({ isEntry, name }) =>
  isEntry || name === 'message-chunk' ? '//# allFunctionsCalledOnLoad' : '';
