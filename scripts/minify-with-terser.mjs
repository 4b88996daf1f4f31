import { minify } from 'terser';

/**
 * A Vite plugin that runs Terser after the bundler's own minifier. They optimize different patterns:
 * together, the result is more than 1 % smaller than with either alone.
 */
export function minifyWithTerser() {
  return {
    name: 'inlay:minify-with-terser',
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const { code } = await minify(chunk.code, {
          module: true,
          ecma: 2020,
          compress: { passes: 3 },
          // Keeps the compile hint of `chunks.mjs`.
          format: { comments: /allFunctionsCalledOnLoad/ },
        });
        chunk.code = code;
      }
    },
  };
}
