/**
 * A Vite plugin that has V8 compile all functions of some chunks while they are being fetched, in
 * another thread. Otherwise it compiles each when it is called for the first time, which took half of
 * a start. For what is run as a whole; a browser that does not know the hint passes over it:
 * https://v8.dev/blog/explicit-compile-hints
 *
 * @param {RegExp} names - The names of the chunks.
 */
export function compileEarly(names) {
  return {
    name: 'inlay:compile-early',
    // Last of all: minifiers take comments out.
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !names.test(chunk.name)) continue;
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}

/** The chunks that every chat runs. */
export const always = /^(?:launch|message-chunk)$/;
