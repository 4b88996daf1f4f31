import { transformSync } from 'esbuild';

/** A Vite plugin that minifies the style sheets of the elements, and the white space of their markup. */
export const minifyTemplates = () => ({
  name: 'minify-templates',
  enforce: 'post',
  transform: {
    filter: { id: /\/packages\/[\w-]+\/src\/.*\.ts$/, code: /\b(?:css|html)`/ },
    handler: (code) => ({ code: minifyMarkupIn(minifyStylesIn(code)), map: null }),
  },
});

/**
 * Removes indentation, and line ends beside tags, from a whole module. This changes the meaning of
 * templates only, because the elements contain no other multi-line strings.
 */
export function minifyMarkupIn(code) {
  return code.replace(/\n\s+/g, '\n').replace(/\n(?=[<>])|(?<=>)\n(?=\$\{)/g, '');
}

/** Minifies the `css` templates of a module. All statements keep their line numbers, for source maps. */
export function minifyStylesIn(code) {
  return code.replace(/\bcss ?`([^`]*)`/g, (_, template) => {
    const expressions = [];
    const sheet = template.replace(/\$\{.*?\}/g, (text) => `var(--x${expressions.push(text) - 1})`);
    const options = { loader: 'css', minify: true, charset: 'utf8' };
    const minified = transformSync(sheet, options).code.trim().replaceAll(', ', ',');
    const lineEnds = template.replace(/[^\n]/g, '');
    return `css\`${minified.replace(/var\(--x(\d+)\)/g, (_, index) => expressions[index])}\`${lineEnds}`;
  });
}
