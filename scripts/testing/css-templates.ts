/** Reads the style sheets of Lit with swc's parser, for tests that examine their declarations. */
import { type Expression, parseFileSync, type TaggedTemplateExpression } from '@swc/core';

/**
 * The texts of the `css` templates of a file. `token('name')` becomes `token(name)`; other
 * interpolations become empty comments.
 */
export function cssTemplatesOf(file: string): string[] {
  const program = parseFileSync(file, { syntax: 'typescript', decorators: true });
  return [...taggedTemplatesIn(program)]
    .filter(({ tag }) => tag.type === 'Identifier' && tag.value === 'css')
    .map(({ template: { quasis, expressions } }) =>
      quasis
        .map(({ cooked }, index) => `${cooked ?? ''}${interpolationOf(expressions[index])}`)
        .join(''),
    );
}

function* taggedTemplatesIn(node: unknown): Iterable<TaggedTemplateExpression> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'TaggedTemplateExpression') {
    yield node as TaggedTemplateExpression;
  }
  for (const child of Object.values(node)) yield* taggedTemplatesIn(child);
}

function interpolationOf(expression: Expression | undefined): string {
  if (expression === undefined) return '';
  if (expression.type !== 'CallExpression') return '/**/';
  const { callee, arguments: given } = expression;
  const [first] = given;
  const isToken = callee.type === 'Identifier' && callee.value === 'token';
  return isToken && first?.expression.type === 'StringLiteral'
    ? `token(${first.expression.value})`
    : '/**/';
}
