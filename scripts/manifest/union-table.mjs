import { ts } from '@custom-elements-manifest/analyzer';

/**
 * Reads the exported unions of string literals, by name. A type that is another name of a union has the
 * values of that union.
 *
 * @param {readonly ts.SourceFile[]} sources
 * @returns {Map<string, string>} Texts such as `'auto' | 'light'`.
 */
export function unionTable(sources) {
  const unions = new Map();
  const otherNames = new Map();
  for (const source of sources) {
    for (const { name, type } of source.statements.filter(ts.isTypeAliasDeclaration)) {
      if (ts.isUnionTypeNode(type) && type.types.every(isStringLiteral)) {
        unions.set(name.text, type.types.map((each) => each.getText(source)).join(' | '));
      }
      if (ts.isTypeReferenceNode(type)) otherNames.set(name.text, type.getText(source));
    }
  }
  for (const [name, target] of otherNames) {
    if (unions.has(target)) unions.set(name, unions.get(target));
  }
  return unions;
}

const isStringLiteral = (type) => ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal);
