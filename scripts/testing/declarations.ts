/** Reads TypeScript declarations with swc's parser, for tests that compare declarations with guides. */
import type { Declaration } from '@swc/core';
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
