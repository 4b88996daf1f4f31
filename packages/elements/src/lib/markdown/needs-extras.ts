import { plainUrl, plainUrlStart } from './syntax/plain-link.ts';

/**
 * Maximum length in characters of a text that is laid out completely. In a longer text, the styles of
 * `markdown-extras.ts` restrict layout to the blocks near the viewport; the heights of the other blocks
 * are estimates.
 */
export const longTextLength = 20_000;

/** Maximum length of the URL and text of a recognized link. A longer link is treated as rare syntax. */
const maxLinkPart = 999;

/**
 * Characters of link texts that contain no address: letters, digits, spaces and punctuation without a
 * dot. Compatibility characters whose normal form contains a dot, such as `․`, are not included.
 */
const plainCharacter = '[\\p{L}\\p{M}\\p{Nd} ,:;!?\'’“”"()*_~#+/–—-]';

/** A plain link: its text contains no address, and `scanPlainTail` can parse its URL. */
const link = `\\[${plainCharacter}{0,${maxLinkPart}}\\]\\(${plainUrl}{0,${maxLinkPart}}(\\)|$)`;
// The destination of a link at the end of the text may be incomplete.
const otherLink = `\\]:|\\]\\((?!${plainUrlStart})`;
const rareSyntax = `[&<|$@\\t\\u2020\\u3010\\ue200-\\ue206]|\\[citation|\\\\(?:[([]|begin)|\\[[!^]|!\\[|\`{3}|~{3}| {4}|https?://|www\\.|${otherLink}`;
/**
 * Matches rare syntax: a character reference, HTML, a table, a formula, a footnote, an alert, an image,
 * code, an autolink, the definition of a reference, or a link that is not plain. Also matches complete
 * plain links, so that their URLs are not mistaken for autolinks.
 */
const candidate = new RegExp(`${link}|${rareSyntax}`, 'giu');

const plainText = new RegExp(`^${plainCharacter}*$`, 'u');

/** Whether a link text contains no address. */
export const isPlain = (linkText: string): boolean => plainText.test(linkText);

/** Maximum length of an incomplete match of `rareSyntax` at the end of the text. */
const overlap = 8;

/**
 * Detects syntax that needs `markdown-extras.ts` in streaming text. The result may be a false positive,
 * but never a false negative. The time is linear in the length of the text.
 */
export class ExtrasDetector {
  #text = '';
  #from = 0;
  #found = false;

  /**
   * Whether a text needs the extras.
   *
   * @param streaming - Whether more text may follow, which may complete a link at the end.
   */
  test(text: string, streaming: boolean): boolean {
    if (!text.startsWith(this.#text)) {
      this.#from = 0;
      this.#found = false;
    }
    this.#text = text;
    this.#found ||= text.length > longTextLength || this.#search(text, streaming);
    return this.#found;
  }

  #search(text: string, streaming: boolean): boolean {
    candidate.lastIndex = this.#from;
    for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
      if (match[1] === undefined) return true;
      // The link may be incomplete, and is searched again with the next piece.
      if (match[1] === '' && streaming) break;
      if (match[1] === '') return true;
      this.#from = candidate.lastIndex;
    }
    // The last bracket may start an incomplete link, unless it is too far from the end.
    const bracket = text.lastIndexOf('[');
    const end = Math.max(this.#from, text.length - overlap);
    this.#from =
      bracket >= Math.max(this.#from, end - 2 * maxLinkPart) ? Math.min(bracket, end) : end;
    return false;
  }
}
