import { ConfigError } from './parse-config.ts';

/** Settings from environment variables. */
export interface Settings {
  /** Port to listen on; 0 for any free port. */
  port: number;
  /** Address to listen on. By default only the local machine can connect. */
  host: string;
  /** Public URL without a trailing slash; null to derive it from the port. */
  baseUrl: string | null;
  /** Directory of the embedded store, or `memory`. */
  data: string;
  /**
   * URL of a PostgreSQL database that replaces the embedded store; null for none. Contains a
   * password.
   */
  databaseUrl: string | null;
  /** Maximum connections to PostgreSQL; undefined for the store's default. */
  databasePool?: number | undefined;
  /** URL of the Redis that connects several processes; null for none. Contains a password. */
  redisUrl: string | null;
  /** An API key that is valid besides the keys in the store; undefined for none. */
  apiKey: string | undefined;
}

/**
 * Reads the settings from environment variables, such as `process.env`.
 *
 * @throws `ConfigError` that names the variable and the remedy.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const databaseUrl = readUrl(environment, 'DATABASE_URL', databaseForm);
  const redisUrl = readUrl(environment, 'REDIS_URL', redisForm);
  if (redisUrl !== null && databaseUrl === null) {
    throw new ConfigError(
      'REDIS_URL is set and DATABASE_URL is not. Processes that are connected through Redis need a common store: set DATABASE_URL to their PostgreSQL, or unset REDIS_URL to run a single process on the embedded store.',
    );
  }
  return {
    port: readPort(environment.PORT),
    host: environment.HOST || '127.0.0.1',
    baseUrl: readBaseUrl(environment.INLAY_BASE_URL),
    data: environment.INLAY_DATA || '.inlay',
    databaseUrl,
    databasePool: readPool(environment.INLAY_DATABASE_POOL),
    redisUrl,
    apiKey: environment.INLAY_API_KEY || undefined,
  };
}

interface UrlForm {
  schemes: readonly string[];
  path: RegExp;
  example: string;
}

const databaseForm: UrlForm = {
  schemes: ['postgres:', 'postgresql:'],
  path: /^\/[^/]+$/,
  example: 'postgres://user:password@db.example.com:5432/inlay',
};
const redisForm: UrlForm = {
  schemes: ['redis:', 'rediss:'],
  path: /^(\/\d*)?$/,
  example: 'redis://:password@redis.example.com:6379/0',
};

/**
 * Checks the URL of a PostgreSQL database.
 *
 * @param name Name of the option, for error messages.
 * @throws `ConfigError` without the URL, which may contain a password.
 */
export function requireDatabaseUrl(url: string, name: string): void {
  readUrl({ [name]: url }, name, databaseForm);
}

/**
 * Reads a URL from the environment; null if it is not set. The error does not quote the value,
 * which may contain a password.
 */
function readUrl(environment: NodeJS.ProcessEnv, name: string, form: UrlForm): string | null {
  const text = environment[name];
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && form.schemes.includes(url.protocol) && url.hostname && form.path.test(url.pathname)) {
    return text;
  }
  throw new ConfigError(`${name} must be a URL such as \`${form.example}\`.`);
}

function readPool(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const size = Number(text);
  if (/^\d+$/.test(text) && size >= 1 && size <= 1000) return size;
  throw new ConfigError(
    `INLAY_DATABASE_POOL must be a number of connections from 1 to 1000; it is \`${text}\`.`,
  );
}

function readPort(text: string | undefined): number {
  if (!text) return 8787;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ConfigError(`PORT must be a number from 0 to 65535; it is \`${text}\`.`);
}

function readBaseUrl(text: string | undefined): string | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && url.pathname === '/') {
    return url.origin;
  }
  throw new ConfigError(
    `INLAY_BASE_URL must be the public URL without a path, such as \`https://chat.example.com\`; it is \`${text}\`.`,
  );
}
