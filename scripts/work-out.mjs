/**
 * A Vite plugin that works a module out while building, and puts its exports, which are strings, in
 * its place: what they are made of does not have to be downloaded to make them again.
 */
import { build, transform } from 'esbuild';

/** @param {string} ending of the module's path */
export function workOut(ending) {
  return {
    name: 'inlay:work-out',
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
