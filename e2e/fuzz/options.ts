import { parseArgs } from 'node:util';

export interface Options {
  requests: number;
  seed: number;
}

export const help = `Sends invalid and random requests to a platform of its own, made from its API description.

  npm run fuzz [-- --requests 20000] [--seed 1]

Looks for answers of 5xx, hangs, answers that the description does not declare, refusals that
change the store, and memory that grows. Then sends inputs of doubling sizes to every text and list,
and looks for processor time and answers that grow faster than the input. Each finding is shrunk and
printed as a line of curl.
Exit code 1 where there is one. The same seed sends the same requests.
`;

/** `help` where the text above is asked for. @throws RangeError that names the option and the remedy. */
export function readOptions(args: string[], newSeed: number): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(newSeed) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const requests = Number(values.requests);
  if (!Number.isInteger(requests) || requests < 100 || requests > 1_000_000) {
    throw new RangeError(
      `--requests is "${values.requests}". Use a whole number from 100 to 1000000.`,
    );
  }
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new RangeError(`--seed is "${values.seed}". Use a whole number from 0 to 4294967295.`);
  }
  return { requests, seed };
}
