/**
 * How many random programs, and how many random schedules of cuts, the tests of the whole client
 * run. The seed is the same in every run, so a failure comes from the change under test, and more
 * than a few thousand of the same programs find nothing new: 2,500 take a minute. To look for
 * unknown faults, run more of them from another seed:
 * `INLAY_PROGRAMS=100000 INLAY_SEED=7 npx vitest run packages/client/src/lib/cuts packages/client/src/lib/model`.
 */
export const sampleSize = positiveInteger('INLAY_PROGRAMS', 2_500);

/** The seed that the programs and schedules are generated from. */
export const seed = positiveInteger('INLAY_SEED', 1);

function positiveInteger(name: string, byDefault: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return byDefault;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} is “${text}”. It can be 1, 2, 3 ….`);
  return Number(text);
}
