/**
 * CSS colours that keep their contrast with any colours that a page sets. They are relative colours
 * in XYZ, whose Y is the relative luminance that WCAG 2.2 calculates contrast from.
 *
 * All of them are derived from the luminance of `{color-surface}`. On a luminance below 0.179 white
 * text has more contrast, above it black text; at 0.179 both have 4.58:1. The other backgrounds are
 * the surface, moved slightly towards a luminance of 0.18. That never crosses the threshold, and
 * leaves at least 4.5:1 for black or white text.
 */

/** A colour, clipped to sRGB: most screens show colours outside of sRGB like this. */
const clippedColor = (color: string) =>
  `color(from ${color} srgb clamp(0, r, 1) clamp(0, g, 1) clamp(0, b, 1) / 1)`;

/** 1 if a background with the luminance `y` needs black text, 0 if it needs white text. */
const needsBlack = 'clamp(0, (y - 0.179) * 1e9, 1)';

/** 0 by default; 1 if the user prefers more contrast. */
const prefersMoreContrast = 'var(--inlay-contrast, 0)';

/** Minimum contrast ratios. */
interface Contrast {
  /** On a light background. */
  onLight: number;
  /** On a dark background. */
  onDark: number;
  /** Added if the user prefers more contrast. */
  more: number;
}

/** Luminance of the derived backgrounds that differ most from a surface with the luminance `y`. */
const softestBackgrounds = { light: '(0.88 * y + 0.0216)', dark: '(0.9 * y + 0.019)' };

/** The luminance with the given contrast to all backgrounds of a surface with the luminance `y`. */
function luminance(
  { onLight, onDark, more: added }: Contrast,
  backgrounds = softestBackgrounds,
): string {
  const light = `((${backgrounds.light} + 0.05) / (${onLight} + ${added} * ${prefersMoreContrast}) - 0.05)`;
  const dark = `((${backgrounds.dark} + 0.05) * (${onDark} + ${added} * ${prefersMoreContrast}) - 0.05)`;
  return `${needsBlack} * ${light} + (1 - ${needsBlack}) * ${dark}`;
}

/** A grey with the luminance of the colour `from`. */
const grey = (from: string) => `color(from ${from} xyz-d65 calc(0.9505 * y) y calc(1.089 * y))`;

/** A grey with the given contrast to all backgrounds that are derived from `surface`. */
export function neutralColor(contrast: Contrast, surface = '{color-surface}'): string {
  return grey(`color(from ${clippedColor(surface)} xyz-d65 0 calc(${luminance(contrast)}) 0)`);
}

/** A grey with the given contrast to the surface itself. */
export function borderColor(contrast: Contrast): string {
  const target = luminance(contrast, { light: 'y', dark: 'y' });
  return grey(`color(from ${clippedColor('{color-surface}')} xyz-d65 0 calc(${target}) 0)`);
}

/**
 * A text colour: the given colour, darkened or lightened if it has less than the given contrast to one
 * of the backgrounds.
 *
 * A relative colour has one origin, but this text colour depends on two: colour and surface. So the
 * target luminance T, which depends on the surface, is passed as the alpha of a black. Mixed half and
 * half with that black, the colour has the alpha (1 + T) / 2, and its channels are divided by 1 + T.
 */
export function readableColor(color: string, contrast: Contrast): string {
  const target = `color(from ${clippedColor('{color-surface}')} xyz-d65 0 0 0 / calc(${luminance(contrast)}))`;
  const mixed = `color-mix(in xyz-d65, ${clippedColor(color)}, ${target})`;
  /** The factor 1 + T, which converts a channel of the mixed colour to the channel of the colour. */
  const factor = '2 * alpha';
  // 0 for black, 1 for white. T is above 0.2 for light text and below it for dark text.
  const pole = 'clamp(0, (2 * alpha - 1.2) * 1e9, 1)';
  // Slightly more than white, so that a white colour does not divide by zero.
  const share = `clamp(0, (${factor} * y - 2 * alpha + 1) / (${factor} * y - 1.00001 * ${pole}), 1)`;
  const channel = (name: string, white: number) =>
    `calc(${factor} * ${name} + (${white} * ${pole} - ${factor} * ${name}) * ${share})`;
  return `color(from ${mixed} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)} / 1)`;
}

/**
 * The surface, mixed with a medium grey. The share of the grey is at most 0.12 on a light surface,
 * and 0.1 on a dark one.
 */
export function backgroundColor({ onLight, onDark }: { onLight: number; onDark: number }): string {
  const share = `(${onDark} + ${(onLight - onDark).toFixed(4)} * ${needsBlack})`;
  const channel = (name: string, middle: number) =>
    `calc(${name} + (${middle} - ${name}) * ${share})`;
  return `color(from ${clippedColor('{color-surface}')} xyz-d65 ${channel('x', 0.1711)} ${channel('y', 0.18)} ${channel('z', 0.196)})`;
}

/**
 * The surface, tinted with a colour that is first set to a luminance of 0.19. Before that, white is
 * added to the colour: black has no hue, and a dark blue would leave the gamut of a screen.
 */
export function tint(color: string, percent: number): string {
  const channel = (name: string, white: number) =>
    `calc((${name} + ${white} * 0.07) * 0.19 / (y + 0.07))`;
  const evenColor = `color(from ${clippedColor(color)} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)})`;
  return `color-mix(in xyz-d65, ${evenColor} ${percent}%, ${clippedColor('{color-surface}')})`;
}

/** Black or white, whichever has more contrast to a colour. */
export function blackOrWhite(color: string): string {
  return grey(`color(from ${clippedColor(color)} xyz-d65 0 calc(1 - ${needsBlack}) 0)`);
}

/**
 * The hover colour of a colour: lighter under black text and darker under white text, which adds
 * contrast. Near white it is darker and near black lighter, because no colour is lighter than white or
 * darker than black.
 */
export function hoverColor(color: string): string {
  const nearBlack = 'clamp(0, (0.02 - y) * 1e9, 1)';
  const nearWhite = 'clamp(0, (y - 0.75) * 1e9, 1)';
  const pole = `(${nearBlack} + ${needsBlack} - ${nearWhite})`;
  const share = `(0.26 - 0.22 * ${nearBlack} - 0.12 * ${needsBlack})`;
  const channel = (name: string, white: number) =>
    `calc(${name} + (${white} * ${pole} - ${name}) * ${share})`;
  return `color(from ${clippedColor(color)} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)})`;
}
