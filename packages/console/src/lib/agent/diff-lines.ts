/** A line of a comparison: unchanged, removed or added. */
export interface DiffLine {
  readonly change: ' ' | '-' | '+';
  readonly text: string;
}

/** Maximum cells of the table of common subsequences, which take 4 bytes each. */
const maximumCells = 4_000_000;

/**
 * Compares two texts by their lines, with a longest common subsequence. Very long texts that differ
 * almost everywhere are shown as removed and added as a whole.
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    end++;
  }
  const line = (change: DiffLine['change']) => (text: string) => ({ change, text });
  return [
    ...before.slice(0, start).map(line(' ')),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(line(' ')),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [removed, added] = [before[i], after[j]];
    if (lengths && removed !== undefined && removed === added) {
      lines.push({ change: ' ', text: removed });
      i++;
      j++;
      continue;
    }
    const without = (x: number, y: number) => lengths?.[x * width + y] ?? 0;
    const isRemoved =
      removed !== undefined && (added === undefined || without(i + 1, j) >= without(i, j + 1));
    if (isRemoved) {
      lines.push({ change: '-', text: removed });
      i++;
    } else {
      lines.push({ change: '+', text: added as string });
      j++;
    }
  }
  return lines;
}

/** Lengths of the longest common subsequences of all suffixes; null if there are too many. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array | null {
  const width = after.length + 1;
  const cells = (before.length + 1) * width;
  if (cells > maximumCells) return null;
  const lengths = new Uint32Array(cells);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
    }
  }
  return lengths;
}

/** Unchanged lines around a change that are shown. */
const context = 3;

/** Replaces long runs of unchanged lines by their number. */
export function shortenDiff(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const isNear = lines.map(() => false);
  lines.forEach(({ change }, index) => {
    if (change === ' ') return;
    isNear.fill(true, Math.max(0, index - context), index + context + 1);
  });
  const shown: (DiffLine | number)[] = [];
  lines.forEach((line, index) => {
    const last = shown.at(-1);
    if (isNear[index]) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}
