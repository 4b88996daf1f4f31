const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/** WCAG 2.2 relative luminance of a CSS colour. */
export function luminance(color: string): number {
  if (!context) throw new Error('The engine has no 2D canvas.');
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const channel = byte / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2 contrast ratio of two luminances, 1 to 21. */
export function ratio(first: number, second: number): number {
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** WCAG 2.2 contrast ratio of two opaque colours, 1 to 21. */
export function contrast(first: string, second: string): number {
  return ratio(luminance(first), luminance(second));
}
