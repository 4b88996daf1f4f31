/** How much of an answer is read out at once, in characters. The rest is there to be read. */
const longest = 1500;

/** Markdown as it should be heard: without the signs that only shape it. */
export function spoken(markdown: string): string {
  const plain = markdown
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
    .replace(/^\|?[\s:|-]+\|[\s:|-]*$/gm, '')
    .replace(/[*`~]+/g, '')
    .replace(/(^|\W)_+|_+(\W|$)/g, '$1$2')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
