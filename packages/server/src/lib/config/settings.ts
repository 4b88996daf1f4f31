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
  apiKey: string | undefined;
}

/** Reads the environment. Throws `ConfigError` with the variable and its remedy. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  for (const name of ['DATABASE_URL', 'REDIS_URL']) {
    if (environment[name]) {
      throw new ConfigError(
        `${name} is set, but this version runs as a single process on its embedded store. Unset it; data is kept in the directory that INLAY_DATA names.`,
      );
    }
  }
  return {
    port: readPort(environment.PORT),
    host: environment.HOST || '127.0.0.1',
    baseUrl: readBaseUrl(environment.INLAY_BASE_URL),
    data: environment.INLAY_DATA || '.inlay',
    apiKey: environment.INLAY_API_KEY || undefined,
  };
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
