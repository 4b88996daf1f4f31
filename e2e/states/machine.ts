import type { Gallery } from './gallery.ts';

/** What decides how the same page looks: images of one machine tell nothing of another's. */
export interface Machine {
  /** Major version of Chromium. */
  readonly chromium: string;
  /** Font or script, and how wide a few letters in it are. */
  readonly fonts: Readonly<Record<string, number>>;
}

const samples = {
  'Liberation Sans': 'Hamburgefonstiv 0123',
  'Liberation Mono': 'Hamburgefonstiv 0123',
  'DejaVu Sans': 'أين طلبي',
  'Noto Sans Devanagari': 'मेरा ऑर्डर',
  'Droid Sans Fallback': '私の注文',
};

/** Describes the machine that the gallery stands on. */
export async function describeMachine(gallery: Gallery): Promise<Machine> {
  const frame = await gallery.hang();
  const fonts = await frame.page.evaluate((texts) => window.measure(texts), samples);
  await frame.close();
  return { chromium: gallery.version.split('.')[0] ?? '', fonts };
}

/** In what two machines differ, in words; nothing where their images can be compared. */
export function differences(theirs: Machine, ours: Machine): string[] {
  const found: string[] = [];
  if (theirs.chromium !== ours.chromium) {
    found.push(`Chromium is ${ours.chromium}, and was ${theirs.chromium}`);
  }
  for (const [font, width] of Object.entries(ours.fonts)) {
    if (theirs.fonts[font] !== width) found.push(`${font} is another font here, or missing`);
  }
  return found;
}
