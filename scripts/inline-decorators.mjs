/**
 * A Vite plugin that replaces compiled Lit decorators,
 * `__decorate([property(options)], Some.prototype, 'name', void 0)`, by the equivalent and shorter
 * `Some.createProperty('name', options)`. The decorators are then not bundled.
 */
import { parseAst } from 'vite';

const ours = /\/packages\/[\w-]+\/src\/.*\.ts$/;

export function inlineDecorators() {
  return {
    name: 'inlay:inline-decorators',
    // After the TypeScript transform, before minification.
    enforce: 'post',
    transform: {
      filter: { id: ours, code: 'lit/decorators.js' },
      handler: (code) => ({ code: replaceDecorators(code), map: null }),
    },
  };
}

/** @param {string} code */
export function replaceDecorators(code) {
  // Backwards, so that replacements do not shift the positions of earlier statements.
  for (const { start, end, expression } of parseAst(code).body.toReversed()) {
    const declared = expression && declarationIn(expression);
    if (!declared) continue;
    const { element, name, decorator } = declared;
    const text = ({ start, end }) => code.slice(start, end);
    const given = decorator.arguments.map(text).join('');
    const options = decorator.callee.name === 'state' ? '{ state: true, attribute: false }' : given;
    const plain = `${text(element)}.createProperty(${[text(name), options].filter(Boolean).join(', ')});`;
    code = code.slice(0, start) + plain + code.slice(end);
  }
  return code;
}

/** The decorated property of a statement; null for others, such as decorated accessors. */
function declarationIn({ type, callee, arguments: given = [] }) {
  const [decorators, prototype, name, descriptor] = given;
  if (type !== 'CallExpression' || !callee.name?.includes('decorate')) return null;
  if (descriptor?.operator !== 'void' || decorators.elements.length !== 1) return null;
  const [decorator] = decorators.elements;
  if (!/^(?:property|state)$/.test(decorator.callee?.name)) return null;
  return { element: prototype.object, name, decorator };
}
