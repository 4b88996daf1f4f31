import { parseArgs } from 'node:util';

export interface SoakOptions {
  minutes: number;
  clients: number;
  /** Where the report goes, as Markdown and as JSON. */
  results: string;
}

export const help = `Converses for a long time over a bad network, and looks for what was lost, doubled or grew.

  npm run soak [-- --minutes 30] [--clients 200] [--results e2e/soak/results]

Exit code 1 where something was lost, doubled, shown wrongly, or grew. Runs under ten minutes are too
short to tell growth from warming up: their figures are shown and not judged.
`;

/** `help` where the text above is asked for. @throws RangeError that names the option and the remedy. */
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
