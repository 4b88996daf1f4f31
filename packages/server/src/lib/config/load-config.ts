import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from './config.ts';
import { assumedPriceNotice, defaultConfig } from './default-config.ts';
import { ConfigError, parseConfig } from './parse-config.ts';

/**
 * Loads the configuration from the file that `INLAY_CONFIG` names, or else from `inlay.config.*` in
 * `directory`. Without a file, returns the default configuration.
 *
 * @param environment Environment variables, such as `process.env`.
 * @param onNotice Called with a notice for the operator if the price of the default agent's
 *   model is not set, and is therefore assumed.
 * @throws `ConfigError` with a message for the operator.
 */
export async function loadConfig(
  environment: NodeJS.ProcessEnv,
  directory: string,
  onNotice: (notice: string) => void = () => {},
): Promise<Config> {
  const file = findConfigFile(environment, directory);
  if (file === null) {
    const notice = assumedPriceNotice(environment);
    if (notice !== null) onNotice(notice);
    return parseConfig(defaultConfig(environment), 'The default configuration');
  }
  return parseConfig(await readConfig(file), file);
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
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new ConfigError(`${file} is not valid JSON: ${String(error)}`);
    }
  }
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    if (isUnknownExtension(error)) {
      throw new ConfigError(
        `${file} is TypeScript, which this Node.js does not read by itself. Start with \`node --import tsx\`, or write the configuration as .mjs or .json.`,
      );
    }
    throw new ConfigError(`${file} failed while it was read: ${String(error)}`, { cause: error });
  }
}

function isUnknownExtension(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
}
