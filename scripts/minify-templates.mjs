/**
 * A Vite plugin that takes the indentation, comments and long forms out of the `css` and `html`
 * templates of our elements. What the templates mean stays the same: white space that has no line
 * end in it, such as that between an icon and its word, is kept.
 */
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';

const ours = /\/packages\/[\w-]+\/src\/.*\.ts$/;

export function minifyTemplates() {
  return {
    name: 'inlay:minify-templates',
    // After TypeScript is gone, before anything is renamed.
    enforce: 'post',
    transform: {
      filter: { id: ours, code: /\b(?:css|html)`/ },
      handler: (code) => ({ code: minifyIn(code), map: null }),
    },
  };
}

/** @param {string} code */
export function minifyIn(code) {
  // From the back, so that what is found is still where it was.
  for (const { tag, quasi } of templatesIn(parseAst(code)).sort(
    (a, b) => b.quasi.start - a.quasi.start,
  )) {
    const minify = tag.name === 'css' ? minifyCss : minifyHtml;
    code = code.slice(0, quasi.start) + minify(code, quasi) + code.slice(quasi.end);
  }
  return code;
}

function templatesIn(node) {
  if (Array.isArray(node)) return node.flatMap(templatesIn);
  if (!node || typeof node !== 'object') return [];
  const inner = Object.values(node).flatMap(templatesIn);
  const isOurs = node.type === 'TaggedTemplateExpression' && /^(?:css|html)$/.test(node.tag.name);
  return isOurs ? [node, ...inner] : inner;
}

/** Expressions stand for values: a custom property holds the place of each meanwhile. */
function minifyCss(code, { quasis, expressions }) {
  const source = quasis
    .map(({ value }, index) => (index ? `var(--expression-${index - 1})` : '') + value.cooked)
    .join('');
  const { code: minified } = transformSync(source, { loader: 'css', minify: true });
  const text = minified.trim().replace(/[\\`]|\$\{/g, '\\$&');
  const filled = text.replace(/var\(--expression-(\d+)\)/g, (_, index) => {
    const { start, end } = expressions[index];
    return `\${${code.slice(start, end)}}`;
  });
  return `\`${filled}\``;
}

/** Only the text between the expressions is touched: a template within one has had its turn. */
function minifyHtml(code, { quasis, start, end }) {
  let text = '';
  let from = start;
  for (const [index, quasi] of quasis.entries()) {
    const first = index === 0;
    const last = index === quasis.length - 1;
    const at = code.indexOf(quasi.value.raw, from);
    text += code.slice(from, at) + minifyMarkup(quasi.value.raw, first, last);
    from = at + quasi.value.raw.length;
  }
  return text + code.slice(from, end);
}

function minifyMarkup(raw, first, last) {
  let text = raw.replace(/\s*\n\s*/g, '\n');
  if (first) text = text.replace(/^\n/, '');
  if (last) text = text.replace(/\n$/, '');
  return text.replace(/\n(?=[<>])|(?<=>)\n/g, '').replaceAll('\n', ' ');
}
