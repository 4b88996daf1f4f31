/** Escapes a text for Markdown and HTML, and puts it on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|#~]|&(?=[a-z\d]+;)/gi, '\\$&')
    .replace(/^(\d*)([-+.)])(?= |$)/, '$1\\$2');
}

/** Formats a URL as a Markdown autolink. Returns an empty string for an invalid URL. */
export function autolink(url: string): string {
  return URL.canParse(url) ? `<${new URL(url).href}>` : '';
}

/**
 * Formats a message as a block quote, so that its content cannot be mistaken for another message: an
 * unclosed code fence or HTML comment ends with the quote.
 */
export function blockQuote(markdown: string): string {
  return markdown
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
