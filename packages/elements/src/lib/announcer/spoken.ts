/** Longest announcement, in characters. Longer text is cut. */
const maxLength = 1500;

/**
 * Converts Markdown to text for announcements, without markup. All patterns have to run in linear
 * time: a message of nothing but `|` or `[` must not block the page.
 */
export function spoken(markdown: string): string {
  const plain = withoutComments(markdown)
    // HTML tags that are rendered, not shown as text.
    .replace(/<\/?(?:details|summary|br)(?:\s[^<>]{0,200})?\/?>/gi, ' ')
    .replace(
      /<\/?(?:kbd|mark|sub|sup|strong|strike|em|ins|del|[bius])(?:\s[^<>]{0,200})?\/?>/gi,
      '',
    )
    // The first line of an alert is its kind.
    .replace(/^([ >]*)\[!([a-z]+)\][ \t]*$/gim, '$1$2.')
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^[\]]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
    // Delimiter row of a table.
    .replace(/^[ \t:|-]+$/gm, (line) => (line.includes('|') ? '' : line))
    .replace(/[*`~]+/g, '')
    .replace(/_+/g, (run, at: number, whole: string) => {
      const isWithin = /\w/.test(whole[at - 1] ?? '') && /\w/.test(whole[at + run.length] ?? '');
      return isWithin ? run : '';
    })
    .replace(/[\s|]+/g, ' ')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}

/** Removes HTML comments. A regular expression would take quadratic time. */
function withoutComments(markdown: string): string {
  const [before = '', ...comments] = markdown.split('<!--');
  const after = comments.map((text) => {
    const end = text.indexOf('-->');
    return end < 0 ? `<!--${text}` : text.slice(end + 3);
  });
  return [before, ...after].join('');
}
