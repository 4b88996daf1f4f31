import { parseArgs } from 'node:util';

export interface Options {
  requests: number;
  seed: number;
  /** Sends only the shrunk request with this path, which a finding names. */
  path?: string;
}

export const help = `Starts a platform, and sends random and invalid requests made from its API description.

  npx tsx --conditions=source e2e/fuzz/main.ts [--requests 20000] [--seed 1] [--path 4:0:1]

Reports 5xx responses, hanging requests, responses that the description does not declare, rejected
requests that change the store, errors under a compatible prefix that do not have the format of the
official API, and growing memory. Then sends inputs of doubling sizes for every string and list, and
reports processor time and responses that grow faster than the input. Each finding is shrunk, and
printed as a curl command, with the seed and path that send it again.
Exits with code 1 if there are findings. The same seed sends the same requests.
`;

/**
 * Parses the command line.
 *
 * @returns `'help'` if `--help` is given.
 * @throws {RangeError} Names the option and the remedy.
 */
export function readOptions(args: string[], newSeed: number): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(newSeed) },
      path: { type: 'string' },
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
  const { path } = values;
  if (path !== undefined && !/^\d+(:\d+)*$/.test(path)) {
    throw new RangeError(`--path is "${path}". Use the path of a finding, such as 4:0:1.`);
  }
  return { requests, seed, ...(path !== undefined && { path }) };
}
