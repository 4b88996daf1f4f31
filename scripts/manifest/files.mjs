import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from './analyze.mjs';
import { angularComponents } from './angular.mjs';
import { editorData } from './editor-data.mjs';
import { reactEvents } from './react-events.mjs';
import { reference } from './reference.mjs';
import { languagesGuide } from './string-table.mjs';
import { tagTypes } from './tag-types.mjs';

/**
 * Generates all files that describe the interface of the elements.
 *
 * @param {string} root - Root folder of the repository.
 * @returns {Record<string, string>} Text by path in the repository.
 */
export function interfaceFiles(root) {
  const manifest = analyze(join(root, 'packages/elements'));
  return {
    'packages/elements/custom-elements.json': json(manifest),
    'packages/elements/html-custom-data.json': json(editorData(manifest)),
    'packages/react/src/lib/event-table.ts': reactEvents(manifest),
    'docs/elements.md': reference(manifest),
    'docs/languages.md': languagesGuide(root),
    'packages/elements/src/lib/version.ts': versionModule(root),
    ...inFolder('packages/elements/types', tagTypes(manifest)),
    ...inFolder('packages/elements/types', angularComponents(manifest)),
  };
}

/** The version as a constant, because a browser can't read `package.json`. */
function versionModule(root) {
  const { version } = JSON.parse(
    readFileSync(join(root, 'packages/elements/package.json'), 'utf8'),
  );
  return `/** The version of this package. Generated from \`package.json\` by \`npm run manifest\`. */
export const version = '${version}';
`;
}

const inFolder = (folder, files) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
