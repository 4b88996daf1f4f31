/**
 * Writes the URL of the repository, from `REPOSITORY_URL`, into the public packages below the working directory.
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
