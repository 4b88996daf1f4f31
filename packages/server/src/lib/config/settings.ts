import { ConfigError } from './parse-config.ts';

/** What the process is told by its environment, beside the configuration file. */
export interface Settings {
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on. This machine alone, unless told otherwise. */
  host: string;
  /** Public address without a trailing slash; null: made from the port that was taken. */
  baseUrl: string | null;
  /** Directory of the embedded store, or `memory`. */
  data: string;
  /** PostgreSQL in place of the embedded store; null without. Holds a password. */
  databaseUrl: string | null;
  /** Connections to it at most; the store's default without. */
  databasePool?: number | undefined;
  /** Redis, by which several processes hear of each other; null without. Holds a password. */
  redisUrl: string | null;
  apiKey: string | undefined;
}

/** Reads the environment. Throws `ConfigError` with the variable and its remedy. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const databaseUrl = readUrl(environment, 'DATABASE_URL', databaseForm);
  const redisUrl = readUrl(environment, 'REDIS_URL', redisForm);
  if (redisUrl !== null && databaseUrl === null) {
    throw new ConfigError(
      'REDIS_URL is set and DATABASE_URL is not. Processes that hear of each other must have one store: set DATABASE_URL to their PostgreSQL, or unset REDIS_URL to run a single process on the embedded store.',
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

/** What was written is not repeated in the error: it may hold a password. */
function readUrl(environment: NodeJS.ProcessEnv, name: string, form: UrlForm): string | null {
  const text = environment[name];
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && form.schemes.includes(url.protocol) && url.hostname && form.path.test(url.pathname)) {
    return text;
  }
  throw new ConfigError(`${name} must be an address such as \`${form.example}\`.`);
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
    `INLAY_BASE_URL must be the public address alone, such as \`https://chat.example.com\`; it is \`${text}\`.`,
  );
}
