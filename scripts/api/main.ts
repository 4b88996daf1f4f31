/**
 * Compares the API description with `released.json`, the description of the last release, and fails for
 * each breaking change. `--update` replaces `released.json` by the current description, for a release.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ApiDescription, breakingChanges, stablePartOf } from './breaking-changes.ts';
import { describeApi } from './describe-api.ts';

const releasedFile = fileURLToPath(new URL('released.json', import.meta.url));

if (process.argv.includes('--update')) {
  const current = await describeApi();
  writeFileSync(releasedFile, format(stablePartOf(current)));
  console.log(`Wrote ${Object.keys(current.paths).length} paths to ${releasedFile}.`);
} else if (existsSync(releasedFile)) {
  const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as ApiDescription;
  const changes = await breakingChanges(released, await describeApi());
  for (const change of changes) console.error(`✘ ${change}`);
  if (changes.length > 0) {
    console.error(
      `\n${changes.length} breaking changes since the last release. Keep the old behaviour, or add a new version of the route next to it: docs/upgrading.md.`,
    );
    process.exitCode = 1;
  } else {
    console.log('✔ No breaking change of the API since the last release.');
  }
} else {
  console.log('✔ There is no release yet, with which the API could be compared.');
}

/** JSON with a line for each path, so that changes can be reviewed. */
function format({ paths, ...rest }: ApiDescription): string {
  const lines = Object.entries(paths).map(
    ([path, operations]) => `${JSON.stringify(path)}: ${JSON.stringify(operations)}`,
  );
  return `{"paths": {\n${lines.join(',\n')}\n},\n${JSON.stringify(rest).slice(1)}\n`;
}
