/** Renders an OpenAPI document as a Markdown page. */

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const credentials = { apiKey: 'API key', embedToken: 'token of an end user' };

/**
 * @param {Record<string, any>} document - Without references.
 * @returns {string}
 */
export function httpApiPage(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  );
  const groups = document.tags.flatMap(({ name, description }) => [
    `## ${name}\n`,
    `${description}\n`,
    ...operations.filter(({ tags }) => tags[0] === name).flatMap(operationLines),
  ]);
  return `${['# HTTP API\n', introduction, ...groups].join('\n')}\n`;
}

const introduction = `Generated from the OpenAPI document that the platform serves at \`/meta/v1/openapi.json\`. A backend
sends its API key, a page its token: \`Authorization: Bearer …\`. Errors are problem details (RFC 9457). Ignore
fields that you do not know.
`;

function operationLines(operation) {
  const { summary, description, method, path, parameters = [], requestBody, responses } = operation;
  const needed = operation.security.flatMap(Object.keys).map((name) => credentials[name] ?? name);
  return [
    `### ${summary}\n`,
    `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\`\n`,
    ...(operation.deprecated ? ['**Deprecated.**\n'] : []),
    ...(description ? [`${text(description)}\n`] : []),
    `Credential: ${needed.join(' or ') || 'none'}.\n`,
    ...parameterLines(parameters),
    ...bodyLines(requestBody),
    ...responseLines(responses),
  ];
}

function parameterLines(parameters) {
  // Headers are left out, because many operations have the same, such as `Idempotency-Key`.
  const ownParameters = parameters.filter(({ in: place }) => place !== 'header');
  if (ownParameters.length === 0) return [];
  return table(
    ['parameter', 'in', 'type', 'description'],
    ownParameters.map(({ name, in: place, required, schema, description }) => [
      named(name, required),
      place,
      typeOf(schema),
      description ?? schema?.description ?? '',
    ]),
  );
}

function bodyLines(requestBody) {
  const [media] = Object.entries(requestBody?.content ?? {});
  if (!media) return [];
  const [type, { schema }] = media;
  const lines = fieldLines('field of the request', schema, schema.required);
  return lines.length > 0 ? lines : [`Request: \`${type}\`, ${typeOf(schema)}.\n`];
}

function responseLines(responses) {
  const [media] = Object.values(responses['200']?.content ?? {});
  const problems = Object.entries(responses).filter(([status]) => /^[45]\d\d$/.test(status));
  const errors = table(
    ['status', 'codes'],
    problems.map(([status, { description }]) => [status, description]),
  );
  return [
    ...(media ? fieldLines('field of the response', media.schema) : []),
    ...(problems.length > 0 ? ['::: details Errors\n', ...errors, ':::\n'] : []),
  ];
}

function fieldLines(title, schema, required = []) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return [];
  return table(
    [title, 'type', 'description'],
    properties.map(([name, value]) => [
      named(name, required.includes(name)),
      typeOf(value),
      value.description ?? '',
    ]),
  );
}

const named = (name, required) => `\`${name}\`${required ? ', required' : ''}`;

/** Describes the type of a JSON Schema in a few words, with its bounds. */
function typeOf(schema = {}) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  const least = schema.minimum ?? schema.minLength ?? schema.minItems;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const hasBound = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    [schema.type ?? 'any'].flat().join(' or '),
    ...(hasBound(least) ? [`at least ${least}`] : []),
    ...(hasBound(most) ? [`at most ${most}`] : []),
  ].join(', ');
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

const cell = (value) => text(String(value)).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Escapes text outside inline code that Vue would parse as a tag or an expression. */
function text(value) {
  return value
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{'),
    )
    .join('');
}
