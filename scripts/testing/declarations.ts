/** Reads TypeScript declarations with swc's parser, for tests that compare declarations with guides. */
import type { Declaration, TsType } from '@swc/core';
import { parseModule } from './syntax.ts';

/** The exported declarations of a file, and its interfaces that are not exported. */
function declarationsIn(file: string): Declaration[] {
  return parseModule(file).body.flatMap((item) => {
    if (item.type === 'ExportDeclaration') return [item.declaration];
    return item.type === 'TsInterfaceDeclaration' ? [item] : [];
  });
}

/**
 * The names of the properties and methods of an interface.
 *
 * @throws {Error} If the file has no such interface.
 */
export function membersOf(file: string, name: string): string[] {
  for (const declaration of declarationsIn(file)) {
    if (declaration.type !== 'TsInterfaceDeclaration' || declaration.id.value !== name) continue;
    return declaration.body.body.flatMap((member) =>
      'key' in member && 'value' in member.key ? [String(member.key.value)] : [],
    );
  }
  throw new Error(`${file} has no interface ${name}.`);
}

/**
 * The string literals of a union type; for a union of object types, the literals of the given property.
 *
 * @throws {Error} If the file has no such type.
 */
export function literalsOf(file: string, name: string, property?: string): string[] {
  for (const declaration of declarationsIn(file)) {
    if (declaration.type !== 'TsTypeAliasDeclaration' || declaration.id.value !== name) continue;
    return literalsIn(declaration.typeAnnotation, property);
  }
  throw new Error(`${file} has no type ${name}.`);
}

function literalsIn(type: TsType, property?: string): string[] {
  if (type.type === 'TsUnionType') return type.types.flatMap((each) => literalsIn(each, property));
  if (type.type === 'TsLiteralType' && type.literal.type === 'StringLiteral') {
    return [type.literal.value];
  }
  if (type.type !== 'TsTypeLiteral' || property === undefined) return [];
  return type.members.flatMap((member) =>
    member.type === 'TsPropertySignature' &&
    'value' in member.key &&
    member.key.value === property &&
    member.typeAnnotation
      ? literalsIn(member.typeAnnotation.typeAnnotation)
      : [],
  );
}

/** The names of the public methods and getters of a class. */
export function methodsOf(file: string, name: string): string[] {
  for (const declaration of declarationsIn(file)) {
    if (declaration.type !== 'ClassDeclaration' || declaration.identifier.value !== name) continue;
    return declaration.body.flatMap((member) =>
      member.type === 'ClassMethod' && 'value' in member.key ? [String(member.key.value)] : [],
    );
  }
  throw new Error(`${file} has no class ${name}.`);
}
