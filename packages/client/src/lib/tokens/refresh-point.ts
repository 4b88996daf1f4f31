const second = 1000;
const minute = 60 * second;

/** Least time between the start of two questions to the token source. */
export const refreshFloor = 5 * second;

/**
 * How long after its receipt a token is replaced, in milliseconds, for a lifetime in milliseconds:
 * half-way for lives under two minutes, at 80 % or a minute before the end for longer ones, and
 * five to ten minutes before the end for those over fifty. Up to a tenth less, so that the tabs and
 * the pages of one host do not all ask at once.
 */
export function refreshPoint(lifetime: number, random: () => number): number {
  if (lifetime > 50 * minute) return lifetime - (5 + 5 * random()) * minute;
  const point = lifetime < 2 * minute ? lifetime / 2 : Math.min(0.8 * lifetime, lifetime - minute);
  return point * (1 - 0.1 * random());
}
