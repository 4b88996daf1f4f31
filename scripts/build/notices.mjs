/** Collects the licences of the libraries that a build bundles. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Writes the name, version and licence of every bundled package of `node_modules`.
 *
 * @param {string} file - Path of the file to write.
 * @param {Iterable<string>} modules - Paths of the bundled modules.
 * @throws {Error} If a package has no licence.
 */
export function writeNotices(file, modules) {
  const folders = new Set();
  for (const path of modules) {
    const folder = packageFolder(resolve(path.replace('\0', '')).replaceAll('\\', '/'));
    if (folder) folders.add(folder);
  }
  const notices = [...folders].map(noticeOf).sort();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `# Third-party notices\n\nThe files of this package contain these libraries.\n\n${[...new Set(notices)].join('\n')}`,
  );
}

/** A Vite plugin that adds the paths of all bundled modules to a set. */
export function collectModules(modules) {
  return {
    name: 'collect-modules',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) modules.add(id);
      }
    },
  };
}

function packageFolder(path) {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const fileNames = readdirSync(folder);
  // The Apache licence requires the NOTICE file as well.
  const text = [/^licen[cs]e/i, /^notice/i]
    .map((pattern) => fileNames.find((fileName) => pattern.test(fileName)))
    .filter((file) => file !== undefined)
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
  if (!text && !license) throw new Error(`${name} has no licence.`);
  return `## ${name} ${version}\n\n${license ?? 'See below'}\n${text ? `\n\`\`\`text\n${text}\n\`\`\`\n` : ''}`;
}
