/**
 * Characters that can't be seen and make others be read in another place, or hide between them:
 * what turns the direction (Unicode Standard Annex 9, explicit formatting), and tags.
 */
const hidden = /[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** A text without the characters that are hidden in it, for text that is read rather than decided by. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, '');
}

/**
 * A text in which nothing is hidden, for what a person decides by: the name of a file, what a tool is
 * going to be given. A file that ends in `exe` must not look like a PDF.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase()}]`;
  });
}
