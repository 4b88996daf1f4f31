import { ts } from '@custom-elements-manifest/analyzer';

/**
 * Reads the custom properties of `theme/tokens.ts`: names, descriptions, and the defaults that are
 * literals.
 *
 * @param {ts.SourceFile} source
 */
export function tokenTable(source) {
  const declaration = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText(source) === 'tokens');
  let table = declaration?.initializer;
  while (table && !ts.isObjectLiteralExpression(table)) table = table.expression;
  if (!table) throw new Error(`${source.fileName} has no table of tokens.`);
  return table.properties.map((property) => ({
    name: `--inlay-${property.name.text}`,
    ...defaultOf(property.initializer),
    description: commentOf(property, source),
  }));
}

function defaultOf(initializer) {
  if (!ts.isStringLiteralLike(initializer)) return {};
  return { default: initializer.text.replaceAll(/\{([\w-]+)\}/g, 'var(--inlay-$1)') };
}

function commentOf(property, source) {
  const comments = ts.getLeadingCommentRanges(source.text, property.getFullStart()) ?? [];
  const lastComment = comments.at(-1);
  if (!lastComment) return '';
  const text = source.text.slice(lastComment.pos, lastComment.end);
  return text
    .replace(/^\/\*\*|\*\/$|^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
