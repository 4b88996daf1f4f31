/**
 * Compares two valid semantic versions by precedence (semver.org, section 11). Build metadata is
 * ignored. The package `semver` throws for numbers above `Number.MAX_SAFE_INTEGER`, which the API
 * accepts.
 *
 * @returns A negative number if `left` precedes `right`, a positive one if it follows, 0 for the same
 *   precedence.
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [parseVersion(left), parseVersion(right)];
  const core = compareLists(a.core, b.core);
  if (core !== 0) return core;
  // A pre-release precedes its release.
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return b.preRelease.length - a.preRelease.length;
  }
  return compareLists(a.preRelease, b.preRelease);
}

function parseVersion(version: string) {
  const [withoutBuild = ''] = version.split('+');
  const dash = withoutBuild.indexOf('-');
  const [core, preRelease] =
    dash === -1 ? [withoutBuild, ''] : [withoutBuild.slice(0, dash), withoutBuild.slice(dash + 1)];
  return { core: core.split('.'), preRelease: preRelease === '' ? [] : preRelease.split('.') };
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  for (const [index, a] of left.entries()) {
    const b = right[index];
    if (b === undefined) return 1;
    const order = compareIdentifiers(a, b);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares numbers as text, because they may exceed `Number.MAX_SAFE_INTEGER`. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
