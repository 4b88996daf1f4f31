/**
 * Colours that hold their contrast whatever colours a page sets, as CSS alone: made by relative
 * colours in XYZ, whose Y is the relative luminance that WCAG 2.2 measures contrast with.
 *
 * All of them look at one thing, the luminance of `{color-surface}`. Up to 0.179 white text reads
 * better on it, above that black: there both have 4.58:1. So a surface of any colour works, and
 * every other ground here is the surface moved a little towards a luminance of 0.18, which brings
 * no ground to the other side, and none so far that black or white would fall below 4.5:1 on it.
 */

/** A colour within sRGB: what lies beyond is painted as this on most screens. */
const painted = (color: string) =>
  `color(from ${color} srgb clamp(0, r, 1) clamp(0, g, 1) clamp(0, b, 1) / 1)`;

/** 1 if a background with the luminance `y` needs black text, 0 if it needs white text. */
const wantsBlack = 'clamp(0, (y - 0.179) * 1e9, 1)';

/** 0 by default; 1 if the user prefers more contrast. */
const more = 'var(--inlay-contrast, 0)';

interface Contrast {
  /** The contrast with what is behind it, where that is light, and where it is dark. */
  onLight: number;
  onDark: number;
  /** Added if the user prefers more contrast. */
  more: number;
}

/** The luminance of the grounds below that are furthest from the surface. */
const softest = { light: '(0.88 * y + 0.0216)', dark: '(0.9 * y + 0.019)' };

/** The luminance that has the contrast with every ground of a surface with the luminance `y`. */
function luminance({ onLight, onDark, more: added }: Contrast, grounds = softest): string {
  const light = `((${grounds.light} + 0.05) / (${onLight} + ${added} * ${more}) - 0.05)`;
  const dark = `((${grounds.dark} + 0.05) * (${onDark} + ${added} * ${more}) - 0.05)`;
  return `${wantsBlack} * ${light} + (1 - ${wantsBlack}) * ${dark}`;
}

/** A grey of the luminance y, of a colour whose Y is all that counts. */
const grey = (from: string) => `color(from ${from} xyz-d65 calc(0.9505 * y) y calc(1.089 * y))`;

/** A grey that has the contrast with every ground made of `surface`. */
export function neutral(contrast: Contrast, surface = '{color-surface}'): string {
  return grey(`color(from ${painted(surface)} xyz-d65 0 calc(${luminance(contrast)}) 0)`);
}

/** A grey that has the contrast with the surface itself. */
export function line(contrast: Contrast): string {
  const wanted = luminance(contrast, { light: 'y', dark: 'y' });
  return grey(`color(from ${painted('{color-surface}')} xyz-d65 0 calc(${wanted}) 0)`);
}

/**
 * A colour as text: as it is where it reads well on every ground, otherwise darkened or lightened
 * until it does.
 *
 * A relative colour sees one colour, and this one depends on two. So the luminance that is wanted
 * travels as the alpha of a colour without light, T, and mixing halves all of it: what comes out
 * has the alpha (1 + T) / 2 and, divided by it, the channels of the colour.
 */
export function readable(color: string, contrast: Contrast): string {
  const wanted = `color(from ${painted('{color-surface}')} xyz-d65 0 0 0 / calc(${luminance(contrast)}))`;
  const both = `color-mix(in xyz-d65, ${painted(color)}, ${wanted})`;
  const own = '2 * alpha';
  // Light text is wanted at more than 0.2 and dark text at less, whatever the surface.
  const pole = 'clamp(0, (2 * alpha - 1.2) * 1e9, 1)';
  // Past white by a trace: white itself must not divide by nothing.
  const share = `clamp(0, (${own} * y - 2 * alpha + 1) / (${own} * y - 1.00001 * ${pole}), 1)`;
  const channel = (name: string, white: number) =>
    `calc(${own} * ${name} + (${white} * ${pole} - ${own} * ${name}) * ${share})`;
  return `color(from ${both} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)} / 1)`;
}

/** The surface, moved towards a middle grey by a share of 0 to 0.12 on light, 0.1 on dark. */
export function ground({ onLight, onDark }: { onLight: number; onDark: number }): string {
  const share = `(${onDark} + ${(onLight - onDark).toFixed(4)} * ${wantsBlack})`;
  const channel = (name: string, middle: number) =>
    `calc(${name} + (${middle} - ${name}) * ${share})`;
  return `color(from ${painted('{color-surface}')} xyz-d65 ${channel('x', 0.1711)} ${channel('y', 0.18)} ${channel('z', 0.196)})`;
}

/**
 * The surface with a breath of a colour, which is first brought to the luminance of 0.19. A little
 * white before that: black has no hue to keep, and a deep blue would leave what a screen can show.
 */
export function wash(color: string, percent: number): string {
  const channel = (name: string, white: number) =>
    `calc((${name} + ${white} * 0.07) * 0.19 / (y + 0.07))`;
  const even = `color(from ${painted(color)} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)})`;
  return `color-mix(in xyz-d65, ${even} ${percent}%, ${painted('{color-surface}')})`;
}

/** Black or white, whichever reads better on a colour. */
export function blackOrWhite(color: string): string {
  return grey(`color(from ${painted(color)} xyz-d65 0 calc(1 - ${wantsBlack}) 0)`);
}

/**
 * A colour a step on, for what is pointed at: away from black or white text on it, except near
 * black and white, where there is nowhere to go but towards.
 */
export function step(color: string): string {
  const nearBlack = 'clamp(0, (0.02 - y) * 1e9, 1)';
  const nearWhite = 'clamp(0, (y - 0.75) * 1e9, 1)';
  const pole = `(${nearBlack} + ${wantsBlack} - ${nearWhite})`;
  const share = `(0.26 - 0.22 * ${nearBlack} - 0.12 * ${wantsBlack})`;
  const channel = (name: string, white: number) =>
    `calc(${name} + (${white} * ${pole} - ${name}) * ${share})`;
  return `color(from ${painted(color)} xyz-d65 ${channel('x', 0.9505)} ${channel('y', 1)} ${channel('z', 1.089)})`;
}
