import { ConfigError } from '../config/parse-config.ts';

/**
 * @throws ConfigError If this is not a PostgreSQL URL. The message does not quote the value, which
 *   may contain a secret.
 */
export function requirePostgresUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new ConfigError(
    'DATABASE_URL must be the URL of a PostgreSQL database, such as `postgres://user:password@db.example.com:5432/inlay`. Characters such as `@`, `/` and `#` in the password are written as `%40`, `%2F` and `%23`.',
  );
}

/**
 * Explains why a database could not be opened, without the password. Errors that are not about the
 * configuration are returned unchanged.
 *
 * @param setting Name of the setting or option with the URL.
 */
export function explainFailure(cause: unknown, url: string, setting = 'DATABASE_URL'): unknown {
  if (!(cause instanceof Error) || cause instanceof ConfigError) return cause;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const explanation = explanations.find(([pattern]) => pattern.test(`${code} ${cause.message}`));
  if (!explanation) return cause;
  const text = explanation[1](targetOf(url)).replaceAll('DATABASE_URL', setting);
  return new ConfigError(text, { cause });
}

interface Target {
  /** `host:port`, or the directory of the socket. */
  address: string;
  user: string;
  database: string;
}

/** Explanations by error code (of PostgreSQL or the system), or by message if there is no code. */
const explanations: readonly [RegExp, (target: Target) => string][] = [
  [
    /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) |timeout expired|timeout exceeded/,
    ({ address }) =>
      `DATABASE_URL names ${address}, where no PostgreSQL responds. Start it, or correct the URL.`,
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN) /,
    ({ address }) => `DATABASE_URL names ${address}, but there is no such host. Correct the URL.`,
  ],
  [
    /^(28P01|28000) |SASL|password must be a string/,
    ({ address, user }) =>
      `PostgreSQL at ${address} rejects the login of ${user}. Correct user and password in DATABASE_URL, or allow this machine in its pg_hba.conf.`,
  ],
  [
    /^3D000 /,
    ({ address, database }) =>
      `PostgreSQL at ${address} has no database ${database}, which DATABASE_URL names. Create it: \`createdb ${database}\`.`,
  ],
  [
    /^42501 /,
    ({ user, database }) =>
      `The user of DATABASE_URL may not create tables. Grant it: \`alter database ${database} owner to ${user}\`, or \`grant usage, create on schema public to ${user}\`.`,
  ],
  [
    /^53300 /,
    ({ address }) =>
      `PostgreSQL at ${address} accepts no more connections. Lower INLAY_DATABASE_POOL, or raise its max_connections.`,
  ],
  [
    /server does not support SSL/,
    ({ address }) =>
      `PostgreSQL at ${address} does not support TLS, which \`sslmode\` in DATABASE_URL requires. Enable it there, or remove \`sslmode\` in a network that you trust.`,
  ],
  [
    /CERT|certificate/,
    ({ address }) =>
      `The TLS certificate of PostgreSQL at ${address} could not be verified. Add the certificate of its authority to DATABASE_URL: \`sslmode=verify-full&sslrootcert=/path/to/ca.pem\`.`,
  ],
  [
    /^(55P03|57014) /,
    ({ database }) =>
      `The migration of ${database} could not change a table in time, for example because of a backup or a long transaction. Start again when that has ended. Processes of the previous version can keep running.`,
  ],
  [
    /tables belong to another version/,
    ({ database }) =>
      `The database ${database} was migrated by another version of this server. Start that version, or restore a backup from before the upgrade.`,
  ],
];

function targetOf(databaseUrl: string): Target {
  const url = new URL(databaseUrl);
  const user = decodeURIComponent(url.username) || 'the user';
  return {
    address: url.host || url.searchParams.get('host') || 'localhost',
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  };
}
