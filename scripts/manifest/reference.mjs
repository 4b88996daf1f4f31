/** Creates the reference page of the elements from the manifest. The documentation site has it. */
import { inline, publicElements } from './analyze.mjs';

const head = `# The elements

Two elements are for your page: \`<inlay-chat>\` is the conversation and fills its container;
\`<inlay-launcher>\` is a floating button that opens it. \`<inlay-markdown>\` can be used alone. All other elements
are internal: style them through the parts of the chat, which are listed with it.

For tools, \`@inlay/elements\` contains the same information in \`custom-elements.json\`, \`web-types.json\`
(JetBrains editors read it by themselves) and \`html-custom-data.json\`. This VS Code setting enables code
completion for the tags:
\`"html.customData": ["./node_modules/@inlay/elements/html-custom-data.json"]\`.

A property with an attribute can be set through either of them. Events bubble and are composed. Cancelable events
are dispatched before their action; \`event.preventDefault()\` prevents the action.
`;

/** @param {object} manifest */
export function reference(manifest) {
  const elements = manifest.modules.map(({ declarations }) => declarations[0]);
  const publicElementDocs = elements.filter(({ tagName }) => publicElements.includes(tagName));
  const otherElementDocs = elements.filter(({ tagName }) => !publicElements.includes(tagName));
  const tokens = publicElementDocs[0].cssProperties.filter((each) =>
    isShared(each, publicElementDocs),
  );
  return [
    head,
    ...publicElementDocs.map((each) => section(each, tokens)),
    '## Custom properties\n',
    'Custom properties can be set on any ancestor; the nearest one wins. Defaults that are not listed are derived from other properties.\n',
    table(
      ['property', 'default', ''],
      tokens.map(({ name, default: value, description }) => [code(name), code(value), description]),
    ),
    ...otherElementDocs.map((each) => section(each, tokens)),
  ]
    .filter(Boolean)
    .join('\n');
}

const isShared = ({ name }, publicElementDocs) =>
  publicElementDocs.every(({ cssProperties }) => cssProperties.some((each) => each.name === name));

function section(element, tokens) {
  const { tagName, name, summary, description, members, events, slots, cssParts } = element;
  const properties = members.filter(({ kind }) => kind === 'field');
  const methods = members.filter(({ kind }) => kind === 'method');
  const attributeOf = (property) =>
    element.attributes.find(({ fieldName }) => fieldName === property.name)?.name;
  const ownProperties = element.cssProperties.filter(
    (each) => !tokens.includes(each) && !sharedName(each),
  );
  function sharedName(each) {
    return tokens.some((token) => token.name === each.name);
  }
  return [
    `## \`<${tagName}>\`\n`,
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
    table(['slot', ''], slots.map(parameterNames('the default slot'))),
    table(['part', ''], cssParts.map(parameterNames(''))),
    table(['custom property', ''], ownProperties.map(parameterNames(''))),
  ]
    .filter(Boolean)
    .join('\n');
}

const parameter = ({ name, optional, type }) => `${name}${optional ? '?' : ''}: ${type?.text}`;

const parameterNames =
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
  const separator = `|${titles.map(() => '---').join('|')}|`;
  return `${[line(titles), separator, ...rows.map(line)].join('\n')}\n`;
}
