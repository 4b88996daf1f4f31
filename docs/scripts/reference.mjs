/**
 * Generates the reference pages in `docs/api`: the HTTP API from the platform's OpenAPI document, the
 * elements, their texts, the settings of the configuration, and one page per package from its types.
 * The pages are not committed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfig, readSettings, startServer, systemClock, systemRandom } from '@inlay/server';
import { Application, ReflectionKind } from 'typedoc';
import { dereference } from '../../scripts/api/dereference.ts';
import { analyze } from '../../scripts/manifest/analyze.mjs';
import { reference as elementsPage } from '../../scripts/manifest/reference.mjs';
import { slugOf } from '../.vitepress/links.mjs';
import { httpApiPage } from './http-api.mjs';
import { settingsPage } from './settings.mjs';
import { stringsPage } from './strings.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs/api');

/** For each page, the package and the file with its exports. */
const packages = {
  client: ['@inlay/client', 'packages/client/src/index.ts'],
  'client-inspector': ['@inlay/client/inspector', 'packages/client/src/inspector.ts'],
  'client-testing': ['@inlay/client/testing', 'packages/client/src/testing.ts'],
  node: ['@inlay/node', 'packages/node/src/index.ts'],
  react: ['@inlay/react', 'packages/react/src/index.ts'],
  server: ['@inlay/server', 'packages/server/src/index.ts'],
};

/** Writes all pages. */
export async function writeReference() {
  mkdirSync(folder, { recursive: true });
  const document = await dereference(await openApiDocument());
  writeFileSync(join(folder, 'http.md'), httpApiPage(document));
  writeFileSync(
    join(folder, 'elements.md'),
    elementsPage(analyze(join(root, 'packages/elements'))),
  );
  writeFileSync(join(folder, 'settings.md'), settingsPage());
  writeFileSync(join(folder, 'strings.md'), stringsPage());
  await writeTypes();
}

async function openApiDocument() {
  const server = await startServer({
    settings: readSettings({ INLAY_DATA: 'memory', PORT: '0' }),
    config: parseConfig({
      agents: [
        {
          short_id: 'demo',
          name: 'Demo',
          instructions: 'Be brief.',
          model: { provider: 'scripted' },
        },
      ],
    }),
    clock: systemClock,
    random: systemRandom,
    log: { info() {}, warn() {}, error: console.error },
    secret: () => undefined,
    webDirectory: join(root, 'packages/server/web'),
    version: '0.1.0',
  });
  try {
    const response = await server.app.request('/meta/v1/openapi.json');
    return await response.json();
  } finally {
    await server.stop('immediate');
  }
}

/** Writes the pages of the types, with TypeDoc. */
async function writeTypes() {
  const output = mkdtempSync(join(tmpdir(), 'inlay-typedoc-'));
  try {
    const app = await Application.bootstrapWithPlugins({
      plugin: ['typedoc-plugin-markdown'],
      tsconfig: join(root, 'docs/tsconfig.typedoc.json'),
      basePath: root,
      // TypeDoc deletes the contents of this folder. Its default is `docs`.
      out: output,
      cleanOutputDir: false,
      entryPoints: Object.values(packages).map(([, file]) => join(root, file)),
      router: 'module',
      readme: 'none',
      logLevel: 'Error',
      skipErrorChecking: true,
      excludePrivate: true,
      excludeProtected: true,
      excludeInternal: true,
      excludeExternals: true,
      disableSources: true,
      hidePageHeader: true,
      hideBreadcrumbs: true,
      hidePageTitle: true,
      useCodeBlocks: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true },
      sanitizeComments: true,
    });
    const project = await app.convert();
    if (!project) throw new Error('TypeDoc could not read the types.');
    describeUnions(project);
    await app.outputs.writeOutput({ name: 'markdown', path: output }, project);
    for (const [page, [name, file]] of Object.entries(packages)) {
      const generated = readFileSync(join(output, pathOf(file)), 'utf8');
      const text = `# ${name}\n\n${introduction}\n\n${withoutOtherPages(generated)}`;
      writeFileSync(join(folder, `${page}.md`), text);
    }
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Adds a table of the commented members of each union to its comment, because TypeDoc omits them. */
function describeUnions(project) {
  for (const { type, comment } of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
    if (!type?.elementSummaries || !comment) continue;
    const rows = type.types.map((member, index) => {
      const named =
        member.declaration?.children?.find(({ name }) => name === 'type')?.type ?? member;
      const text = type.elementSummaries[index]?.map((part) => part.text).join('') ?? '';
      return `| \`${named.value ?? 'string'}\` | ${text.replaceAll(/\s+/g, ' ').trim()} |`;
    });
    comment.summary.push({
      kind: 'text',
      text: `\n\n| value | meaning |\n|---|---|\n${rows.join('\n')}\n`,
    });
  }
}

const introduction = 'Generated from the types and their comments.';

/** Returns the file that TypeDoc writes for a module. */
function pathOf(file) {
  return file.replace(/(\/index)?\.ts$/, '.md');
}

/**
 * Replaces links to pages of other packages with their text, because the site has other names for these
 * pages, and corrects anchors that TypeDoc numbers differently from VitePress.
 */
function withoutOtherPages(markdown) {
  const headings = new Set([...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text]) => slugOf(text)));
  return markdown
    .replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1')
    .replaceAll(/\(#([\w-]+?)-\d+\)/g, (link, name) =>
      headings.has(link.slice(2, -1)) || !headings.has(name) ? link : `(#${name})`,
    );
}
