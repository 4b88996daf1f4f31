/** How much of an answer is read out at once, in characters. The rest is there to be read. */
const longest = 1500;

/**
 * Markdown as it should be heard: without the signs that only shape it. No pattern here may look twice
 * at a long run of the same character: an answer of nothing but `|` or `[` would stop the page.
 */
export function spoken(markdown: string): string {
  const plain = markdown
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^[\]]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
    // The line below the head of a table.
    .replace(/^[ \t:|-]+$/gm, (line) => (line.includes('|') ? '' : line))
    .replace(/[*`~]+/g, '')
    .replace(/_+/g, (run, at: number, whole: string) => {
      const isWithin = /\w/.test(whole[at - 1] ?? '') && /\w/.test(whole[at + run.length] ?? '');
      return isWithin ? run : '';
    })
    .replace(/[\s|]+/g, ' ')
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
