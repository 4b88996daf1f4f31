/** Text as it is, on one line: nothing in it is Markdown or HTML any more. */
export function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&');
}

/** An address in Markdown, which nothing in it can end; empty for one that is none. */
export function address(url: string): string {
  return URL.canParse(url) ? `<${new URL(url).href}>` : '';
}

/**
 * What somebody said, as a quotation. So nothing in it can pass for what another one said, or swallow
 * it: a heading, a fence or a comment that is left open ends with the quotation.
 */
export function quotation(markdown: string): string {
  return markdown
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
