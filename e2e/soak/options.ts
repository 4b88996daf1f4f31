import { parseArgs } from 'node:util';

export interface SoakOptions {
  minutes: number;
  clients: number;
  /** Folder for the report. */
  results: string;
}

export const help = `Simulates conversations over a bad network, and checks that nothing is lost, duplicated or grows.

  npm run soak [-- --minutes 30] [--clients 200] [--results e2e/soak/results]

Exits with code 1 if something was lost, duplicated, displayed wrongly, or grew. Runs of less than ten
minutes are too short to distinguish growth from warm-up: their figures are reported without a limit.
`;

/**
 * Parses the command line.
 *
 * @returns `'help'` if `--help` is given.
 * @throws {RangeError} Names the option and the remedy.
 */
export function readOptions(args: string[], defaultResults: string): SoakOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      clients: { type: 'string', default: '200' },
      results: { type: 'string', default: defaultResults },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes <= 24 * 60)) {
    throw new RangeError(`--minutes is "${values.minutes}". Use a number from 1 to 1440.`);
  }
  const clients = Number(values.clients);
  if (!Number.isInteger(clients) || clients < 2 || clients > 2000) {
    throw new RangeError(`--clients is "${values.clients}". Use a whole number from 2 to 2000.`);
  }
  return { minutes, clients, results: values.results };
}
