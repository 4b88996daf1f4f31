import { extras } from '../extras.ts';

/** Resolves the backslash escapes and character references of URLs, titles and info strings. */
export function decodeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return extras()?.decodeEntities(text) ?? text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
