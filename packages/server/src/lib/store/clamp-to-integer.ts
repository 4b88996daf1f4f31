/** The largest value of a PostgreSQL column of the type `integer`. */
const maximum = 2_147_483_647;

/**
 * Limits a number that is compared with a column of the type `integer`. PostgreSQL refuses to compare
 * such a column with a larger number.
 */
export function clampToInteger(value: number): number {
  return Math.min(value, maximum);
}
