/**
 * Where the last whole sentence of a growing text ends, counted from its beginning; 0 while there is
 * none. A full stop ends one only when something follows, because `3.` may become `3.14`. A line
 * that is left ends one as well: headings and items of lists have no full stop.
 */
export function sentencesEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(/[.!?…؟।](?=\s)|[。！？]|\n/gu)) {
    end = index + mark.length;
  }
  return end;
}
