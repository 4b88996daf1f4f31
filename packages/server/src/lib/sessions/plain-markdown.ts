/** Escapes a text for Markdown and HTML, and puts it on one line. */
export function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&');
}

/** A URL as a Markdown autolink; empty if it is not a valid URL. */
export function address(url: string): string {
  return URL.canParse(url) ? `<${new URL(url).href}>` : '';
}

/**
 * A message as a block quote, so that its content cannot be mistaken for another message: an
 * unclosed heading, fence or comment ends with the quote.
 */
export function quotation(markdown: string): string {
  return markdown
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
