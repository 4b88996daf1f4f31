/** Escapes texts for the languages of the generated code. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '{': '&#123;',
  '}': '&#125;',
};

/**
 * Escapes the value of an attribute in double quotes.
 *
 * @param hasExpressions Whether the template language evaluates braces, as Angular and Svelte do.
 */
export function attributeText(value: string, hasExpressions = false): string {
  return value.replace(hasExpressions ? /[&"<>{}]/g : /[&"<>]/g, (each) => entities[each] ?? each);
}

/** Generates a JSX attribute. Texts with special characters become a string literal. */
export function jsxAttribute(name: string, value: string): string {
  return /[&"<>{}\\\n]/.test(value) ? `${name}={${literal(value)}}` : `${name}="${value}"`;
}

/** Escapes text in a template literal. */
export function templateText(text: string): string {
  return text.replace(/[`\\]|\$\{/g, '\\$&');
}

/**
 * Generates a JavaScript literal, with each member in its own line if one line is too long. `<` is escaped,
 * because `</script>` would end a script in HTML.
 */
export function literal(value: unknown): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value).replaceAll('<', '\\u003c');
    if (text.includes("'")) return text;
    return `'${text.slice(1, -1).replaceAll('\\"', '"')}'`;
  }
  if (Array.isArray(value)) return enclose('[', value.map(literal), ']');
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
    return enclose('{ ', members, ' }');
  }
  return String(value);
}

function enclose(open: string, members: readonly string[], close: string): string {
  const line = `${open}${members.join(', ')}${close}`;
  if (line.length <= 76 && !line.includes('\n')) return line;
  return `${open.trim()}\n${members.map((each) => `${indent(each, 2)},\n`).join('')}${close.trim()}`;
}

/** Indents every line that is not empty. */
export const indent = (text: string, spaces: number) =>
  text.replace(/^(?=.)/gm, ' '.repeat(spaces));

/**
 * Returns a CSS value unchanged. `faultOf` already rejects values that could end a declaration; this is a
 * second check.
 *
 * @throws {RangeError} For a value that contains `;`, `{`, `}`, `<`, `>` or a backslash.
 */
export function cssText(value: string): string {
  if (/[;{}<>\\]/.test(value)) throw new RangeError('The value would end its declaration.');
  return value;
}
