import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from './config.ts';
import { defaultConfig } from './default-config.ts';
import { notices } from './notices.ts';
import { ConfigError, parseConfig } from './parse-config.ts';

/**
 * Loads the configuration from the file that `INLAY_CONFIG` names, or else from `inlay.config.*` in
 * `directory`. Without a file, returns the default configuration.
 *
 * @param environment Environment variables, such as `process.env`.
 * @param onNotice Called with each notice for the operator about settings that are valid, but probably not
 *   what was meant.
 * @throws `ConfigError` with a message for the operator.
 */
export async function loadConfig(
  environment: NodeJS.ProcessEnv,
  directory: string,
  onNotice: (notice: string) => void = () => {},
): Promise<Config> {
  const file = findConfigFile(environment, directory);
  const config =
    file === null
      ? parseConfig(defaultConfig(environment), 'The default configuration')
      : parseConfig(await readConfig(file), file, readFileSync(file, 'utf8'));
  for (const notice of notices(environment, config, file === null)) onNotice(notice);
  return config;
}

function findConfigFile(environment: NodeJS.ProcessEnv, directory: string): string | null {
  const configured = environment.INLAY_CONFIG;
  if (configured) {
    const file = resolve(directory, configured);
    if (existsSync(file)) return file;
    throw new ConfigError(`INLAY_CONFIG names ${file}, but there is no such file.`);
  }
  const names = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `inlay.config.${ending}`);
  return names.map((name) => resolve(directory, name)).find((file) => existsSync(file)) ?? null;
}

async function readConfig(file: string): Promise<unknown> {
  if (file.endsWith('.json')) {
    const text = readFileSync(file, 'utf8');
    try {
      return JSON.parse(text);
    } catch (error) {
      const [, position] = /position (\d+)/.exec(String(error)) ?? [];
      const line = position && text.slice(0, Number(position)).split('\n').length;
      throw new ConfigError(`${file}${line ? `:${line}` : ''} is not valid JSON: ${String(error)}`);
    }
  }
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    if (module.default !== undefined) return module.default;
  } catch (error) {
    if (isUnknownExtension(error)) {
      throw new ConfigError(
        `${file} is TypeScript, which this Node.js does not read by itself. Start with \`node --import tsx\`, or write the configuration as .mjs or .json.`,
      );
    }
    throw new ConfigError(`${place(error, file)} failed while it was read: ${String(error)}`, {
      cause: error,
    });
  }
  throw new ConfigError(
    `${file} has no default export. Write \`export default\` before the configuration.`,
  );
}

/** Returns a file with the line at which an error occurred, if its stack names the line. */
function place(error: unknown, file: string): string {
  const stack = (error instanceof Error && error.stack) || '';
  const start = stack.indexOf(file);
  return file + (/^(?:\?[^:\s]*)?(:\d+)/.exec(stack.slice(start + file.length))?.[1] ?? '');
}

function isUnknownExtension(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
}
