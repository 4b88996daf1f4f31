/** Longer text may become `plain` or is laid out block by block, which `markdown-extras.ts` styles. */
const longText = 20_000;

/** Longest address and label of a link that are recognized; a longer one counts as rare syntax. */
const longest = 999;

/**
 * A complete link whose address is no autolink, or rare syntax: a character reference, HTML, a table, a
 * formula, a footnote, an alert, a picture, code or an address without a link around it.
 */
const link = `\\[[^[\\]\\n\`\\\\]{0,${longest}}\\]\\(https?://[^\\s()<>[\\]\`\\\\&|$@]{0,${longest}}(\\)|$)`;
const rare = '[&<|$@\\t]|\\\\[([]|\\[[!^]|!\\[|`{3}|~{3}| {4}|https?://|www\\.';
const candidate = new RegExp(`${link}|${rare}`, 'gi');

/** Longest match of `rare`, less one character: it may be at the end of a piece. */
const overlap = 7;

/**
 * Finds out whether a growing text may contain syntax that `markdown-extras.ts` handles. May say yes
 * where there is none, but never no where there is some. Reads each character about once.
 */
export class ExtrasDetector {
  #text = '';
  #from = 0;
  #found = false;

  /** Whether a text needs the extras. */
  test(text: string): boolean {
    if (!text.startsWith(this.#text)) {
      this.#from = 0;
      this.#found = false;
    }
    this.#text = text;
    this.#found ||= text.length > longText || this.#search(text);
    return this.#found;
  }

  #search(text: string): boolean {
    candidate.lastIndex = this.#from;
    for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
      if (match[1] === undefined) return true;
      // The address may go on: the link is read again with the next piece.
      if (match[1] === '') break;
      this.#from = candidate.lastIndex;
    }
    // A link that is not complete starts with the last bracket, unless that is too far back.
    const bracket = text.lastIndexOf('[');
    const end = Math.max(this.#from, text.length - overlap);
    this.#from = bracket >= Math.max(this.#from, end - 2 * longest) ? Math.min(bracket, end) : end;
    return false;
  }
}
