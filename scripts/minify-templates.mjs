import { transformSync } from 'esbuild';
import { parseAst } from 'vite';

/** A Vite plugin that minifies `css` and `html` templates. Keeps white space within a line. */
export const minifyTemplates = () => ({
  name: 'minify-templates',
  enforce: 'post',
  transform: {
    filter: { id: /\/packages\/[\w-]+\/src\/.*\.ts$/, code: /\b(?:css|html)`/ },
    handler: (code) => ({ code: minifyIn(code), map: null }),
  },
});

/**
 * Minifies the templates in compiled code. Statements after a style sheet keep their line, for source maps.
 *
 * @param {string} code
 * @param {{ html?: boolean }} [options] - `html: false` leaves markup as it is. True by default.
 */
export function minifyIn(code, { html = true } = {}) {
  const edits = editsIn(parseAst(code), code, html).sort((a, b) => a.start - b.start);
  const ends = [0, ...edits.map(({ end }) => end)];
  const parts = edits.map(({ start, text }, at) => code.slice(ends[at], start) + text);
  return parts.join('') + code.slice(ends.at(-1));
}

function editsIn(node, code, html) {
  if (!node || typeof node !== 'object') return [];
  const tag = node.type === 'TaggedTemplateExpression' && node.tag.name;
  if (tag === 'css') return [{ ...node.quasi, text: minifyCss(node.quasi, code) }];
  const inner = Object.values(node).flatMap((child) => editsIn(child, code, html));
  if (tag !== 'html' || !html) return inner;
  const shorten = ({ start, end, value: { raw } }) => {
    const lines = raw.replace(/\s*\n\s*/g, '\n').replace(/\n(?=[<>])|(?<=>)\n/g, '');
    return { start, end, text: lines.replaceAll('\n', ' ') };
  };
  return [...inner, ...node.quasi.quasis.map(shorten)];
}

/** Minifies a style sheet with esbuild, with its expressions replaced by custom properties. */
function minifyCss({ quasis, expressions }, code) {
  const css = quasis
    .map(({ value }, at) => (at ? `var(--x${at - 1})` : '') + value.cooked)
    .join('');
  const { code: minified } = transformSync(css, { loader: 'css', minify: true });
  const source = ({ start, end }) => `\${${code.slice(start, end)}}`;
  const escaped = minified
    .trim()
    .replaceAll(', ', ',')
    .replace(/[\\`]|\$\{/g, '\\$&');
  const lineEnds = quasis.map(({ value }) => value.raw.replace(/[^\n]/g, '')).join('');
  return `\`${escaped.replace(/var\(--x(\d+)\)/g, (_, at) => source(expressions[at]))}\`${lineEnds}`;
}
