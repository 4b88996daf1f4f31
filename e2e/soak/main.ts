/** Command line of `npm run soak`: prints the report, and writes it as Markdown and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { help, readOptions } from './options.ts';
import { findingsOf, toMarkdown } from './report/report.ts';
import { soak } from './soak.ts';

// Exits normally, so that the `exit` listeners run, which delete the temporary folder. The child processes
// exit with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const defaultResults = fileURLToPath(new URL('results', import.meta.url));
  const options = readOptions(process.argv.slice(2), defaultResults);
  if (options === 'help') {
    process.stdout.write(help);
    process.exit(0);
  }
  const report = await soak(options, (line) => process.stderr.write(`${line}\n`));
  const markdown = toMarkdown(report);
  mkdirSync(options.results, { recursive: true });
  writeFileSync(join(options.results, 'soak.md'), markdown);
  writeFileSync(join(options.results, 'soak.json'), `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(markdown);
  process.exit(findingsOf(report).length === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
