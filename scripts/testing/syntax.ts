/** Reads the syntax of source files with swc's parser. */
import { type CallExpression, type Module, parseFileSync } from '@swc/core';

/** A node of swc's syntax tree. */
export interface SyntaxNode {
  readonly type: string;
}

/**
 * The syntax tree of a TypeScript module.
 *
 * @throws {Error} If the file does not exist or has a syntax error.
 */
export function parseModule(file: string): Module {
  return parseFileSync(file, { syntax: 'typescript', decorators: true, tsx: file.endsWith('x') });
}

/** The nodes of a type in a tree, outer nodes first. */
export function nodesOf<T extends SyntaxNode>(tree: unknown, type: T['type']): T[] {
  return [...allNodesIn(tree)].filter((node) => node.type === type) as T[];
}

function* allNodesIn(value: unknown): Iterable<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as SyntaxNode;
  for (const child of Object.values(value)) yield* allNodesIn(child);
}

/**
 * The titles in a test module: the first argument of `it()`, `describe()`, `test()` and `it.each()()`,
 * with `%s` in place of the expressions of a template literal.
 */
export function testTitlesIn(module: Module): string[] {
  return nodesOf<CallExpression>(module, 'CallExpression').flatMap(
    ({ callee, arguments: args }) => {
      const title = args[0]?.expression;
      if (!/^(?:it|test|describe)$/.test(rootNameOf(callee))) return [];
      if (title?.type === 'StringLiteral') return [title.value];
      if (title?.type !== 'TemplateLiteral') return [];
      return [title.quasis.map(({ cooked }) => cooked ?? '').join('%s')];
    },
  );
}

/** The name that an expression begins with: `it` for `it.each(rows)`. */
function rootNameOf(expression: SyntaxNode): string {
  if ('value' in expression && expression.type === 'Identifier') return String(expression.value);
  if ('object' in expression) return rootNameOf(expression.object as SyntaxNode);
  return 'callee' in expression ? rootNameOf(expression.callee as SyntaxNode) : '';
}
