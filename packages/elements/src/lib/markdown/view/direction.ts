const letter = /\p{L}/u;
const rightToLeftLetter =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Direction of a text by its first letter; `undefined` if it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const first = letter.exec(text)?.[0];
  if (!first) return undefined;
  return rightToLeftLetter.test(first) ? 'rtl' : 'ltr';
}

/** Whether a text contains a letter that is written from right to left. */
export const hasRightToLeftLetter = (text: string): boolean => rightToLeftLetter.test(text);
