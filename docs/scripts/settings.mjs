/**
 * Generates the page of all settings of `inlay.config.ts`, and of the fields of a token: names and comments from the sources of the
 * schemas, defaults and bounds from the schemas themselves.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as z from 'zod';
import { IssueTokenRequest } from '../../packages/protocol/src/lib/tokens.ts';
import { Config } from '../../packages/server/src/lib/config/config.ts';

/** The schemas of the page, with their names and files. */
const roots = [
  [Config, 'Config', '../../packages/server/src/lib/config/config.ts'],
  [IssueTokenRequest, 'IssueTokenRequest', '../../packages/protocol/src/lib/tokens.ts'],
];

/** Returns the page. */
export function settingsPage() {
  const head = `# Settings

All settings of \`inlay.config.ts\`, from its schema; [Configuration](../configuration.md) explains them. Then the fields with which a
backend [issues a token](../admin-api.md#tokens).
`;
  const parts = sections().map(({ heading, about, rows }) => {
    const lines = rows.map(
      ({ name, about: text, fallback, values }) =>
        `| \`${name}\` | ${[text, fallback, values].map(cell).join(' | ')} |`,
    );
    const table = ['| setting | description | default | values |', '|---|---|---|---|', ...lines];
    return `## ${heading}\n\n${about ? `${about}\n\n` : ''}${table.join('\n')}\n`;
  });
  return [head, ...parts].join('\n');
}

/**
 * Returns the settings by the schema that declares them. A section has the settings of a named schema,
 * and those of the objects that are written inside it, such as `streams.drain_seconds`.
 *
 * @returns {{ heading: string, about?: string, rows: { name: string, about: string, fallback: string, values: string }[] }[]}
 */
export function sections() {
  const found = new Map();
  const addSection = (heading, schema, json) => {
    // The alternatives of a union have one section.
    const section = found.get(heading) ?? { heading, about: schema.about, rows: [] };
    found.set(heading, section);
    addRows(section, schema, json, '');
  };
  const addRows = (section, schema, json, prefix) => {
    for (const member of schema.members) {
      const name = prefix + member.name;
      const own = json?.properties?.[member.name] ?? {};
      const objects = objectsIn(member.value);
      const inline = objects.length > 0 && objects.every((object) => !object.name);
      const isNew = section.rows.every((row) => row.name !== name);
      if (isNew && (!inline || member.about)) {
        section.rows.push({
          name,
          about: member.about || commentOfConstant(member.value) || own.description || '',
          fallback:
            member.fallback || defaultOf(own, inline || !json?.required?.includes(member.name)),
          values: valuesOf(own),
        });
      }
      for (const object of objects) {
        const inner = objectSchemas(own).find(({ properties }) =>
          object.members.every((each) => each.name in properties),
        );
        if (object.name) addSection(object.name, object, inner);
        else addRows(section, object, inner, `${name}.`);
      }
    }
  };
  for (const [schema, name, path] of roots) {
    const [root] = objectsIn(initializerOf(name, fileURLToPath(new URL(path, import.meta.url))));
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    addSection(name, root, json);
  }
  return [...found.values()];
}

/** The schemas of objects in a JSON schema: its own, or those of its items, values and alternatives. */
function objectSchemas(json) {
  if (json?.properties) return [json];
  const inner = [
    json?.items,
    json?.additionalProperties,
    ...(json?.anyOf ?? []),
    ...(json?.oneOf ?? []),
  ];
  return inner.filter((each) => typeof each === 'object').flatMap(objectSchemas);
}

function defaultOf({ default: value, const: constant }, isOptional) {
  if (value === undefined) return isOptional || constant !== undefined ? '' : 'required';
  return typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Object.keys(value)[0]
    ? ''
    : `\`${JSON.stringify(value)}\``;
}

/** The values of an enumeration, or the bounds of a number. */
function valuesOf(json) {
  const {
    minimum,
    maximum,
    enum: values,
    const: constant,
  } = json.anyOf?.find(({ type }) => type !== 'null') ?? json.items ?? json;
  if (values || constant) return (values ?? [constant]).map((each) => `\`${each}\``).join(', ');
  const least = minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const most = maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

const parsed = new Map();
function parse(file) {
  if (!parsed.has(file)) {
    parsed.set(
      file,
      ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
    );
  }
  return parsed.get(file);
}

/** Finds the declaration of a constant in a file or in the file from which it is imported. */
function initializerOf(name, file) {
  for (const statement of parse(file).statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find(
        (each) => each.name.getText() === name,
      );
      if (found) return found.initializer;
    }
    if (!ts.isImportDeclaration(statement)) continue;
    const names = statement.importClause?.namedBindings?.elements ?? [];
    const path = statement.moduleSpecifier.text;
    if (path.startsWith('.') && names.some((each) => each.name.text === name)) {
      return initializerOf(name, join(dirname(file), path));
    }
  }
  return undefined;
}

/** The objects that a schema describes. Those of a constant have its name. */
function objectsIn(expression) {
  if (!expression) return [];
  const file = expression.getSourceFile().fileName;
  if (ts.isIdentifier(expression)) {
    const initializer = initializerOf(expression.text, file);
    const about = initializer && commentOf(initializer.parent.parent.parent);
    return objectsIn(initializer).map((object) => ({
      about,
      ...object,
      name: object.name ?? expression.text,
    }));
  }
  if (ts.isArrowFunction(expression)) return objectsIn(expression.body);
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.flatMap(objectsIn);
  if (!ts.isCallExpression(expression)) return [];
  const { expression: callee, arguments: args } = expression;
  if (ts.isIdentifier(callee)) return objectsIn(initializerOf(callee.text, file));
  if (callee.expression.getText() !== 'z') {
    const base = objectsIn(callee.expression);
    if (callee.name.text === 'omit') {
      const omitted = args[0].properties.map(({ name }) => name.getText());
      return base.map((object) => ({
        members: object.members.filter(({ name }) => !omitted.includes(name)),
      }));
    }
    if (callee.name.text !== 'extend') return base;
    const added = { members: membersOf(args[0]) };
    return [{ members: [...base.flatMap(({ members }) => members), ...added.members] }];
  }
  if (callee.name.text === 'strictObject') return [{ members: membersOf(args[0]) }];
  return args.flatMap(objectsIn);
}

/** The properties of an object literal, with their comments. */
function membersOf(literal) {
  return literal.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) {
      return membersOf(
        initializerOf(property.expression.getText(), literal.getSourceFile().fileName),
      );
    }
    const value = ts.isShorthandPropertyAssignment(property) ? property.name : property.initializer;
    const fallback = ts
      .getJSDocTags(property)
      .find(({ tagName }) => tagName.text === 'default')?.comment;
    return [{ name: property.name.getText(), about: commentOf(property), value, fallback }];
  });
}

/** The comment of the constant that a schema is made from. */
function commentOfConstant(expression) {
  let root = expression;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  const initializer = initializerOf(root.getText(), expression.getSourceFile().fileName);
  return initializer ? commentOf(initializer.parent.parent.parent) : '';
}

function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replaceAll(/\s+/g, ' ');
}

const cell = (text) => text.replaceAll('|', '\\|');
