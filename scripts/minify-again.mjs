import { minify } from 'terser';

/**
 * A Vite plugin that runs Terser over what the bundler's own minifier has made. The two find
 * different things: together they are a good per cent smaller than either alone.
 */
export function minifyAgain() {
  return {
    name: 'inlay:minify-again',
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const { code } = await minify(chunk.code, {
          module: true,
          ecma: 2020,
          compress: { passes: 3 },
          // The hint of `chunks.mjs` stays.
          format: { comments: /allFunctionsCalledOnLoad/ },
        });
        chunk.code = code;
      }
    },
  };
}
