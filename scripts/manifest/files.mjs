import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import { getVsCodeHtmlCustomData } from 'custom-element-vs-code-integration';
import { analyze } from './analyze.mjs';
import { reactEvents } from './react-events.mjs';
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
    'packages/elements/html-custom-data.json': getVsCodeHtmlCustomData(manifest, editorOptions),
    'packages/elements/web-types.json': webTypes(root, manifest),
    'packages/react/src/lib/event-table.ts': reactEvents(manifest),
    'packages/elements/src/lib/version.ts': versionModule(root),
    ...inFolder('packages/elements/types', tagTypes(manifest)),
  };
}

/** Members stand in the reference; a description in an editor has no room for them. */
const editorOptions = {
  hideLogs: true,
  hideSlotDocs: true,
  hideEventDocs: true,
  hideMethodDocs: true,
  hideCssPropertiesDocs: true,
  hideCssPartsDocs: true,
};

/** For JetBrains editors (https://github.com/JetBrains/web-types). */
function webTypes(root, manifest) {
  const { name, version } = manifestOf(root);
  return json({ ...JSON.parse(getWebTypesData(manifest, editorOptions)), name, version });
}

const manifestOf = (root) =>
  JSON.parse(readFileSync(join(root, 'packages/elements/package.json'), 'utf8'));

/** The version as a constant, because a browser can't read `package.json`. */
function versionModule(root) {
  const { version } = manifestOf(root);
  return `/** The version of this package. Generated from \`package.json\` by \`npm run generate\`. */
export const version = '${version}';
`;
}

const inFolder = (folder, files) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
