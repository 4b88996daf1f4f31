/** `docs/elements.md`: the manifest as tables to read. */
import { doors, inline } from './analyze.mjs';

const head = `# The elements

<!-- Written by \`npm run manifest\` from the types and comments of packages/elements. Change those. -->

Two of them are for your page: \`<inlay-chat>\` is the conversation, as large as its container, and
\`<inlay-launcher>\` a bubble that opens it. The others are inside these. They are listed because their
classes are exported, and can be used alone.

The same, for tools: \`custom-elements.json\` and \`html-custom-data.json\` in \`@inlay/elements\`. VS Code completes the
tags with this setting: \`"html.customData": ["./node_modules/@inlay/elements/html-custom-data.json"]\`.

A property with an attribute can be set by either. Events bubble and are composed. One that can be prevented comes
before what it tells of: after \`event.preventDefault()\` that does not happen.
`;

/** @param {object} manifest */
export function reference(manifest) {
  const elements = manifest.modules.map(({ declarations }) => declarations[0]);
  const outer = elements.filter(({ tagName }) => doors.includes(tagName));
  const inner = elements.filter(({ tagName }) => !doors.includes(tagName));
  const tokens = outer[0].cssProperties.filter((each) => isShared(each, outer));
  return [
    head,
    ...outer.map((each) => section(each, tokens)),
    '## Custom properties\n',
    'They can be set at any level, and the nearest wins. The default of one without a value here is made from others.\n',
    table(
      ['property', 'default', ''],
      tokens.map(({ name, default: value, description }) => [code(name), code(value), description]),
    ),
    '## Inside\n',
    ...inner.map((each) => section(each, tokens, '###')),
  ]
    .filter(Boolean)
    .join('\n');
}

const isShared = ({ name }, outer) =>
  outer.every(({ cssProperties }) => cssProperties.some((each) => each.name === name));

function section(element, tokens, level = '##') {
  const { tagName, name, summary, description, members, events, slots, cssParts } = element;
  const properties = members.filter(({ kind }) => kind === 'field');
  const methods = members.filter(({ kind }) => kind === 'method');
  const attributeOf = (property) =>
    element.attributes.find(({ fieldName }) => fieldName === property.name)?.name;
  const own = element.cssProperties.filter((each) => !tokens.includes(each) && !sharedName(each));
  function sharedName(each) {
    return tokens.some((token) => token.name === each.name);
  }
  return [
    `${level} \`<${tagName}>\`\n`,
    `${[summary, description].filter(Boolean).join('\n\n')}\n`,
    `Class \`${name}\`.\n`,
    table(
      ['property', 'attribute', 'type', 'default', ''],
      properties.map((property) => [
        code(property.name),
        code(attributeOf(property)),
        code(property.type?.text),
        property.readonly ? 'read only' : code(property.default),
        property.description,
      ]),
    ),
    table(
      ['method', 'returns', ''],
      methods.map((method) => [
        code(`${method.name}(${(method.parameters ?? []).map(parameter).join(', ')})`),
        code(method.return?.type.text),
        method.description,
      ]),
    ),
    table(
      ['event', '`detail`', 'can be prevented', ''],
      events.map(({ name: event, type, cancelable, description: text }) => [
        code(event),
        code(/^CustomEvent<(.*)>$/.exec(type?.text ?? '')?.[1]),
        cancelable ? 'yes' : '',
        text,
      ]),
    ),
    table(['slot', ''], slots.map(named('the default slot'))),
    table(['part', ''], cssParts.map(named(''))),
    table(['custom property', ''], own.map(named(''))),
  ]
    .filter(Boolean)
    .join('\n');
}

const parameter = ({ name, optional, type }) => `${name}${optional ? '?' : ''}: ${type?.text}`;

const named =
  (nameless) =>
  ({ name, description }) => [name ? code(name) : nameless, description];

function code(text) {
  if (text === undefined || text === '') return '';
  return `\`${inline(text)}\``;
}

const cell = (text) => inline(text).replaceAll('|', '\\|');
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;

function table(titles, rows) {
  if (rows.length === 0) return '';
  const rule = `|${titles.map(() => '---').join('|')}|`;
  return `${[line(titles), rule, ...rows.map(line)].join('\n')}\n`;
}
