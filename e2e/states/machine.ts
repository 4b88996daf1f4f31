import type { Gallery } from './gallery.ts';

/** Properties of a machine that affect rendering. Images of different machines are not comparable. */
export interface Machine {
  /** Major version of Chromium. */
  readonly chromium: string;
  /** Width of a sample text by font or script. */
  readonly fonts: Readonly<Record<string, number>>;
}

const samples = {
  'Liberation Sans': 'Hamburgefonstiv 0123',
  'Liberation Mono': 'Hamburgefonstiv 0123',
  'DejaVu Sans': 'أين طلبي',
  'Noto Sans Devanagari': 'मेरा ऑर्डर',
  'Droid Sans Fallback': '私の注文',
};

/** Describes this machine. */
export async function describeMachine(gallery: Gallery): Promise<Machine> {
  const frame = await gallery.hang();
  const fonts = await frame.page.evaluate((texts) => window.measure(texts), samples);
  await frame.close();
  return { chromium: gallery.version.split('.')[0] ?? '', fonts };
}

/** Describes the differences of two machines; empty if their images are comparable. */
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
