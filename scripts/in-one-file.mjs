/**
 * Rolldown's `codeSplitting` that keeps an entry in one file with everything that it imports
 * statically. Shared modules would get files of their own: more to ask for before the first line
 * runs, and each compresses worse than as a part of the whole.
 *
 * @param {RegExp} entry
 */
export function inOneFile(entry) {
  return { groups: [{ name: 'entry', test: entry, includeDependenciesRecursively: true }] };
}
