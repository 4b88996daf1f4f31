import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Choices, endings, UsageError } from './choices.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The published package has copies of the example applications. */
const isCheckout = !existsSync(pathOf('templates'));
const apps = pathOf(isCheckout ? '../../demo/apps' : 'templates/apps');
const backendFiles = pathOf(isCheckout ? '../../demo/backends' : 'templates/backends');

/** Replacements in a page for visitors who do not sign in. `pk_demo` is the publishable key of the default agent. */
const anonymous: readonly (readonly [RegExp, string])[] = [
  [/token-url="\/api\/chat-token"/, 'publishable-key="pk_demo"'],
  [/tokenUrl="\/api\/chat-token"/, 'publishableKey="pk_demo"'],
  [/fetchToken, hostTokens/, 'anonymousVisitor'],
  [
    /hostTokens\(fetchToken\('\/api\/chat-token'\)\)/,
    "anonymousVisitor({ publishableKey: 'pk_demo' })",
  ],
];

/** The files and the script that the command names after it has created an application. */
export interface CreatedApp {
  /** Script of `package.json` that starts the application. */
  readonly start: 'dev' | 'start';
  /** Files with the function `yourSession`, from the folder of the application. */
  readonly sessionFiles: readonly string[];
  /** The token endpoint in another language, from the folder of the application. */
  readonly backendFile: string | null;
}

/**
 * Creates an application in a new or empty folder: a copy of an example application, a token endpoint in the
 * language of the backend, and an API key that the application and its platform share.
 *
 * @throws UsageError If the folder is not empty.
 */
export function createApp({ folder, framework, backend, signIn }: Choices): CreatedApp {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).some((name) => name !== '.git')) {
    throw new UsageError(`${folder} is not empty. Name a new folder.`);
  }
  mkdirSync(target, { recursive: true });
  cpSync(join(apps, framework), target, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|dist|package-lock\.json|\.[\w-]+)$/.test(path),
  });
  const files = sourcesIn(target);
  if (signIn === 'visitors') {
    for (const file of files) {
      const text = readFileSync(join(target, file), 'utf8');
      writeFileSync(
        join(target, file),
        anonymous.reduce((each, [from, to]) => each.replace(from, to), text),
      );
    }
  }
  const start = completeManifest(target);
  writeFileSync(
    join(target, '.env'),
    `# The platform and the backend read it. Keep it out of version control.\nINLAY_API_KEY=sk-service-${randomBytes(24).toString('base64url')}\n`,
  );
  writeFileSync(
    join(target, '.gitignore'),
    'node_modules/\ndist/\nbuild/\n.env\n.inlay/\n.next/\n.nuxt/\n.output/\n.svelte-kit/\n.angular/\n',
  );
  return {
    start,
    sessionFiles: files.filter((file) =>
      /function yourSession/.test(readFileSync(join(target, file), 'utf8')),
    ),
    backendFile: backend === 'node' ? null : copyBackend(target, endings[backend]),
  };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(ts|tsx|js|vue|svelte|html)$/.test(path),
  );
}

/** Names the application after its folder, and adds the platform. Returns the script that starts it. */
function completeManifest(target: string): CreatedApp['start'] {
  const path = join(target, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
  manifest.name = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-');
  manifest.scripts.platform =
    'node --env-file=.env node_modules/@inlay/server/dist/inlay-server.js';
  manifest.devDependencies = { '@inlay/server': version, ...manifest.devDependencies };
  for (const group of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(group)) if (name.startsWith('@inlay/')) group[name] = version;
  }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest.scripts.dev ? 'dev' : 'start';
}

function copyBackend(target: string, ending: string): string {
  const file = `backend/chat_token.${ending}`;
  cpSync(join(backendFiles, `chat_token.${ending}`), join(target, file), { recursive: true });
  return file;
}
