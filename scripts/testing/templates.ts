/** Reads the templates of Lit, for tests that examine style sheets and markup. */
import type { Expression, StringLiteral, TaggedTemplateExpression } from '@swc/core';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { nodesOf } from './syntax.ts';

/** An element in the markup of a template. */
export interface TemplateElement {
  readonly tag: string;
  /** Attribute values by name: the text, or the syntax node if the value is a single `${…}` expression. */
  readonly attributes: ReadonlyMap<string, string | Expression>;
}

const templatesOf = (tree: unknown, name: string) =>
  nodesOf<TaggedTemplateExpression>(tree, 'TaggedTemplateExpression')
    .filter(({ tag }) => tag.type === 'Identifier' && tag.value === name)
    .map(({ template }) => template);

/**
 * The texts of the `css` templates of a module. `token('name')` becomes `token(name)`; other
 * interpolations become empty comments.
 */
export function cssTemplatesOf(tree: unknown): string[] {
  return templatesOf(tree, 'css').map(({ quasis, expressions }) =>
    quasis
      .map(({ cooked }, index) => `${cooked ?? ''}${interpolationOf(expressions[index])}`)
      .join(''),
  );
}

function interpolationOf(expression: Expression | undefined): string {
  if (expression === undefined) return '';
  if (expression.type !== 'CallExpression') return '/**/';
  const { callee, arguments: args } = expression;
  const [first] = args;
  const isToken = callee.type === 'Identifier' && callee.value === 'token';
  return isToken && first?.expression.type === 'StringLiteral'
    ? `token(${first.expression.value})`
    : '/**/';
}

/** The elements in the `html` templates of a module. */
export function elementsInTemplates(tree: unknown): TemplateElement[] {
  return templatesOf(tree, 'html').flatMap(({ quasis, expressions }) => {
    const markup = quasis
      .map(({ cooked }) => cooked ?? '')
      .reduce((text, next, index) => `${text}{${index - 1}}${next}`);
    return elementsIn(parseFragment(markup)).map(({ tagName, attrs }) => ({
      tag: tagName,
      attributes: new Map(
        attrs.map(({ name, value }) => {
          const [, index] = /^\{(\d+)\}$/.exec(value) ?? [];
          return [name, index === undefined ? value : (expressions[Number(index)] ?? value)];
        }),
      ),
    }));
  });
}

/** The elements below a node, including those in `<template>`. */
export function elementsIn(
  node: DefaultTreeAdapterTypes.ParentNode,
): DefaultTreeAdapterTypes.Element[] {
  return node.childNodes.flatMap((child) => {
    if (!('tagName' in child)) return [];
    const content = 'content' in child ? elementsIn(child.content as typeof node) : [];
    return [child, ...content, ...elementsIn(child)];
  });
}

/** The strings in an expression. */
export const stringsIn = (expression: unknown): string[] =>
  nodesOf<StringLiteral>(expression, 'StringLiteral').map(({ value }) => value);
