import { ts } from '@custom-elements-manifest/analyzer';

/**
 * Reads the unions of string literals, by type name. An alias of such a union has the same values.
 *
 * @param {readonly ts.SourceFile[]} sources
 * @returns {Map<string, string>} Texts such as `'auto' | 'light'`.
 */
export function unionTable(sources) {
  const unions = new Map();
  const aliases = new Map();
  for (const source of sources) {
    for (const { name, type } of source.statements.filter(ts.isTypeAliasDeclaration)) {
      if (ts.isUnionTypeNode(type) && type.types.every(isStringLiteral)) {
        unions.set(name.text, type.types.map((each) => each.getText(source)).join(' | '));
      }
      if (ts.isTypeReferenceNode(type)) aliases.set(name.text, type.getText(source));
    }
  }
  for (const [name, target] of aliases) {
    if (unions.has(target)) unions.set(name, unions.get(target));
  }
  return unions;
}

const isStringLiteral = (type) => ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal);
