/**
 * Writes the URL of the repository, from `REPOSITORY_URL`, into the public packages and the Helm chart below the
 * working directory.
 * A release runs it, because npm accepts provenance only with the URL of the repository that publishes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const homepage = process.env.REPOSITORY_URL;
if (!/^https:\/\/[^/\s]+\/[^\s]*[^/\s]$/.test(homepage ?? '')) {
  throw new Error(
    'REPOSITORY_URL must be the https URL of the repository, such as https://github.com/you/inlay.',
  );
}
for (const name of readdirSync('packages')) {
  const path = `packages/${name}/package.json`;
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  if (manifest.private) continue;
  const repository = { type: 'git', url: `git+${homepage}.git`, directory: `packages/${name}` };
  const filled = { ...manifest, homepage, repository, bugs: `${homepage}/issues` };
  writeFileSync(path, `${JSON.stringify(filled, null, 2)}\n`);
}

const { version } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));
fill('deploy/chart/Chart.yaml', {
  version,
  appVersion: `'${version}'`,
  home: homepage,
  sources: `\n  - ${homepage}`,
});
const { hostname, pathname } = new URL(homepage);
// The release publishes the image in the registry of GitHub, whose names are in lower case.
if (hostname === 'github.com') {
  const image = `ghcr.io${pathname.toLowerCase()}`;
  fill('deploy/chart/values.yaml', { '  repository': `'${image}'`, '  tag': `'${version}'` });
}

/** Sets keys of a YAML file that are at the start of a line, with their indentation. Its comments are kept. */
function fill(path, values) {
  let text = readFileSync(path, 'utf8');
  for (const [key, value] of Object.entries(values)) {
    const entry = new RegExp(`^${key}:.*\\n(?: +- .*\\n)*`, 'm');
    if (!entry.test(text)) throw new Error(`${path} has no ${key.trim()}.`);
    text = text.replace(entry, () => `${key}: ${value}\n`.replace(': \n', ':\n'));
  }
  writeFileSync(path, text);
}
