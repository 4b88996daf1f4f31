/**
 * `npm run check:api`: compares the API description with `released.json`, the description of the last
 * release, and fails for each breaking change. `npm run check:api -- --update` replaces
 * `released.json` by the current description, for a release.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createLogger,
  parseConfig,
  readSettings,
  startServer,
  systemClock,
  systemRandom,
} from '@inlay/server';
import { type ApiDescription, breakingChanges, stablePartOf } from './breaking-changes.ts';

const releasedFile = fileURLToPath(new URL('released.json', import.meta.url));

const current = await describeApi();
if (process.argv.includes('--update')) {
  writeFileSync(releasedFile, format(stablePartOf(current)));
  console.log(`Wrote ${Object.keys(current.paths).length} paths to ${releasedFile}.`);
} else {
  const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as ApiDescription;
  const changes = await breakingChanges(released, current);
  for (const change of changes) console.error(`✘ ${change}`);
  if (changes.length > 0) {
    console.error(
      `\n${changes.length} breaking changes since the last release. Keep the old behaviour, or add a new version of the route next to it: docs/upgrading.md.`,
    );
    process.exitCode = 1;
  } else {
    console.log('✔ No breaking change of the API since the last release.');
  }
}

/** The API description of this checkout. It does not depend on the configuration. */
async function describeApi(): Promise<ApiDescription> {
  const server = await startServer({
    settings: readSettings({ PORT: '0', INLAY_DATA: 'memory' }),
    config: parseConfig(
      { agents: [{ short_id: 'a', name: 'A', model: { provider: 'scripted' } }] },
      'The configuration of the check',
    ),
    clock: systemClock,
    random: systemRandom,
    log: createLogger(systemClock.now, () => {}),
    secret: () => undefined,
    webDirectory: '/nonexistent',
    version: '0.0.0',
  });
  try {
    const response = await server.app.request('/meta/v1/openapi.json');
    return (await response.json()) as ApiDescription;
  } finally {
    await server.stop('immediate');
  }
}

/** JSON with a line for each path, so that changes can be reviewed. */
function format({ paths, ...rest }: ApiDescription): string {
  const lines = Object.entries(paths).map(
    ([path, operations]) => `${JSON.stringify(path)}: ${JSON.stringify(operations)}`,
  );
  return `{"paths": {\n${lines.join(',\n')}\n},\n${JSON.stringify(rest).slice(1)}\n`;
}
