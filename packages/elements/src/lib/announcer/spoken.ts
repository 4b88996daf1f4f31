/** How much of an answer is read out at once, in characters. The rest is there to be read. */
const longest = 1500;

/**
 * Markdown as it should be heard: without the signs that only shape it. No pattern here may look twice
 * at a long run of the same character: an answer of nothing but `|` or `[` would stop the page.
 */
export function spoken(markdown: string): string {
  const plain = withoutComments(markdown)
    // Tags that are not shown either.
    .replace(/<\/?(?:details|summary|br)(?:\s[^<>]{0,200})?\/?>/gi, ' ')
    .replace(
      /<\/?(?:kbd|mark|sub|sup|strong|strike|em|ins|del|[bius])(?:\s[^<>]{0,200})?\/?>/gi,
      '',
    )
    // The first line of an alert names its kind.
    .replace(/^([ >]*)\[!([a-z]+)\][ \t]*$/gim, '$1$2.')
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

/** Comments of HTML are not shown. A regular expression would look for the end of each again. */
function withoutComments(markdown: string): string {
  const [before = '', ...comments] = markdown.split('<!--');
  const after = comments.map((text) => {
    const end = text.indexOf('-->');
    return end < 0 ? `<!--${text}` : text.slice(end + 3);
  });
  return [before, ...after].join('');
}
