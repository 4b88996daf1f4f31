/**
 * Finds the known name most similar to an unknown name; null if none is close. Case, hyphens and
 * underscores are ignored.
 */
export function nearestName(unknown: string, known: Iterable<string>): string | null {
  const normalized = normalize(unknown);
  let nearest: string | null = null;
  // At most two edits, and at most a third of the length of a short name.
  let minDistance = Math.min(2, Math.floor(normalized.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(normalized, normalize(name));
    if (distance < minDistance) {
      minDistance = distance;
      nearest = name;
    }
  }
  return nearest;
}

function normalize(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/** Levenshtein distance. */
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
