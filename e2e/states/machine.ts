import type { StateBrowser } from './state-browser.ts';

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
export async function describeMachine(stateBrowser: StateBrowser): Promise<Machine> {
  const statePage = await stateBrowser.openPage();
  const fonts = await statePage.page.evaluate((texts) => window.measure(texts), samples);
  await statePage.close();
  return { chromium: stateBrowser.version.split('.')[0] ?? '', fonts };
}

/** Describes how this machine differs from the machine of the images. Empty if their images are comparable. */
export function differences(expected: Machine, actual: Machine): string[] {
  const lines: string[] = [];
  if (expected.chromium !== actual.chromium) {
    lines.push(`Chromium is ${actual.chromium}, and was ${expected.chromium}`);
  }
  for (const [font, width] of Object.entries(actual.fonts)) {
    if (expected.fonts[font] !== width) lines.push(`${font} is another font here, or missing`);
  }
  return lines;
}
