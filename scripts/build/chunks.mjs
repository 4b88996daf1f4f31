/** Rolldown options for the chunks of the chat, for the build and for the benchmark. */

const messages = /message-list\/message-chunk\.ts$/;

/**
 * Returns `codeSplitting` with two chunks: the entry with its imports, and the message list with those
 * of its imports that the first chunk lacks. By default, shared modules would become more chunks, which
 * need more requests and compress worse.
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
 * A `postBanner` for the two chunks, which lets V8 compile their functions in another thread during the
 * download: https://v8.dev/blog/explicit-compile-hints
 *
 * @param {{ isEntry: boolean, name: string }} chunk
 */
export const compileHint = ({ isEntry, name }) =>
  isEntry || name === 'message-chunk' ? '//# allFunctionsCalledOnLoad' : '';
