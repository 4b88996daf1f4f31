/** Upper bounds of the times that are counted together, in milliseconds; a last one is unbounded. */
export const answerBounds = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000] as const;
/** The same for times until the first token. */
export const firstTokenBounds = [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600] as const;

const buckets = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Amounts that are added up for each day. */
export const sumColumns = [
  'sessions',
  'user_messages',
  'answers',
  'answers_failed',
  'interrupted',
  'refused_by_quota',
  'ratings_up',
  'ratings_down',
  'input_tokens',
  'output_tokens',
  'spent_microcents',
] as const;

export const answerColumns = buckets.map((index) => `answer_ms_${index}` as const);
export const firstTokenColumns = buckets.map((index) => `first_token_ms_${index}` as const);

/** All columns of amounts, in the order of the table. */
export const amountColumns = [...sumColumns, ...answerColumns, ...firstTokenColumns];
export type AmountColumn = (typeof amountColumns)[number];
/** Amounts by their column; those that are left out are 0. */
export type Amounts = Partial<Record<AmountColumn, number>>;

/** Adds up amounts. */
export function addAmounts(left: Amounts, right: Amounts): Amounts {
  const sum = { ...left };
  for (const [name, amount] of Object.entries(right) as [AmountColumn, number][]) {
    sum[name] = (sum[name] ?? 0) + amount;
  }
  return sum;
}

/** The column in which a time is counted. */
export function bucketOf<Column extends AmountColumn>(
  columns: readonly Column[],
  bounds: readonly number[],
  milliseconds: number,
): Column {
  const index = bounds.findIndex((bound) => milliseconds <= bound);
  const column = columns[index < 0 ? bounds.length : index];
  if (column === undefined) throw new Error('There are more bounds than columns.');
  return column;
}

/**
 * Estimates a percentile from counted times, as if the times of a bucket were spread evenly. A time in
 * the last bucket counts as its lower bound.
 *
 * @param share Share of the times below the percentile, from 0 to 1.
 * @returns Whole milliseconds; null without times.
 */
export function percentile(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  let rest = total * share;
  for (const [index, count] of counts.entries()) {
    const lower = bounds[index - 1] ?? 0;
    const upper = bounds[index];
    if (upper === undefined) return lower;
    if (rest <= count) return Math.round(lower + ((upper - lower) * rest) / count);
    rest -= count;
  }
  return bounds.at(-1) ?? null;
}
