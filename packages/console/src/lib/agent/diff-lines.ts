import { diffArrays } from 'diff';

/** A line of a comparison: unchanged, removed or added. */
export interface DiffLine {
  readonly change: ' ' | '-' | '+';
  readonly text: string;
}

/** Unchanged lines around a change that are shown. */
const context = 3;
/** Differing lines, removed and added, of texts that are shown as removed and added as a whole instead. */
const maximumEdits = 4_000;

/** Compares two texts by their lines. Longer runs of unchanged lines are replaced by their number. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): (DiffLine | number)[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: maximumEdits }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  return parts.flatMap(({ removed, added, value }, index): (DiffLine | number)[] => {
    const change = removed ? '-' : added ? '+' : ' ';
    const lines = value.map((text): DiffLine => ({ change, text }));
    const head = index === 0 ? 0 : context;
    const tail = index === parts.length - 1 ? 0 : context;
    const hidden = lines.length - head - tail;
    if (change !== ' ' || hidden <= 0) return lines;
    return [...lines.slice(0, head), hidden, ...lines.slice(lines.length - tail)];
  });
}
