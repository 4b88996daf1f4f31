/**
 * The known name that an unknown one was probably meant to be; null where none is close. Case,
 * hyphens and underscores don't count.
 */
export function nearestName(unknown: string, known: Iterable<string>): string | null {
  const wanted = plain(unknown);
  let nearest: string | null = null;
  // At most two letters may differ, and no more than a third of a short name.
  let least = Math.min(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, plain(name));
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
