/**
 * A Vite plugin that evaluates a module at build time and replaces it by its exports, which must be
 * strings, so that the code that computes them is not bundled.
 */
import { build, transform } from 'esbuild';

/** @param {string} ending - End of the module's path. */
export function evaluateAtBuild(ending) {
  return {
    name: 'inlay:evaluate-at-build',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(ending)) return null;
      const { outputFiles } = await build({
        entryPoints: [id],
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        conditions: ['source'],
      });
      const code = Buffer.from(outputFiles[0].contents).toString('base64');
      const exported = await import(`data:text/javascript;base64,${code}`);
      const lines = Object.entries(exported).map(async ([name, css]) => {
        const { code: minified } = await transform(css, { loader: 'css', minify: true });
        return `export const ${name} = ${JSON.stringify(minified.trim().replace(/([,:]) /g, '$1'))};`;
      });
      return (await Promise.all(lines)).join('\n');
    },
  };
}
