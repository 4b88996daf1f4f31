/**
 * Number of random programs that the tests run on the scripted platform. The default seed is fixed, so
 * that a failure is caused by the change under test. To find unknown defects, run more programs with
 * another seed: `INLAY_PROGRAMS=100000 INLAY_SEED=7 npx vitest run packages/client/src/lib/random-programs`.
 */
export const sampleSize = positiveInteger('INLAY_PROGRAMS', 2_500);

/** The seed that the programs are generated from. */
export const seed = positiveInteger('INLAY_SEED', 1);

function positiveInteger(name: string, defaultValue: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return defaultValue;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`${name} is “${text}”. It must be a positive integer.`);
  return Number(text);
}
