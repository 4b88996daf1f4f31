/** Command line of the fuzzer. */
import { randomInt } from 'node:crypto';
import { fuzz } from './fuzz.ts';
import { measureGrowth } from './growth/growth.ts';
import { help, readOptions } from './options.ts';
import { fuzzText, growthText } from './report.ts';

/** Bytes of the inputs, up to the limit of a JSON body and beyond. */
const sizes = [64, 128, 256, 512, 1024].map((kibibytes) => kibibytes * 1024);

// The platform process exits when this process does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const options = readOptions(process.argv.slice(2), randomInt(2 ** 32));
  if (options === 'help') {
    process.stdout.write(help);
    process.exit(0);
  }
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  log(`Seed ${options.seed}: --seed ${options.seed} sends the same requests again.`);
  const report = await fuzz({ ...options, log });
  process.stdout.write(fuzzText(report));
  if (options.path !== undefined) process.exit(report.findings.length === 0 ? 0 : 1);
  const growth = await measureGrowth({ sizes, log });
  process.stdout.write(growthText(growth));
  process.exit(report.findings.length + growth.findings.length === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
