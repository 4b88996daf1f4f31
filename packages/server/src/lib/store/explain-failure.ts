import { ConfigError } from '../config/parse-config.ts';

/**
 * @throws ConfigError If this is not a PostgreSQL URL. The message does not quote the value, which
 *   may contain a secret.
 */
export function requireAddress(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new ConfigError(
    'DATABASE_URL must be the address of a PostgreSQL database, such as `postgres://user:password@db.example.com:5432/inlay`. Characters such as `@`, `/` and `#` in the password are written as `%40`, `%2F` and `%23`.',
  );
}

/**
 * Explains why the database of `DATABASE_URL` could not be opened, without the password. Errors
 * that are not about the configuration are returned unchanged.
 */
export function explainFailure(cause: unknown, url: string): unknown {
  if (!(cause instanceof Error)) return cause;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const explanation = explanations.find(([pattern]) => pattern.test(`${code} ${cause.message}`));
  return explanation ? new ConfigError(explanation[1](placeOf(url)), { cause }) : cause;
}

interface Place {
  /** `host:port`, or the directory of the socket. */
  at: string;
  user: string;
  database: string;
}

/** By error code (of PostgreSQL or the system), or by message if there is no code. */
const explanations: readonly [RegExp, (place: Place) => string][] = [
  [
    /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) |timeout expired|timeout exceeded/,
    ({ at }) =>
      `DATABASE_URL names ${at}, and no PostgreSQL answers there. Start it, or correct the address.`,
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN) /,
    ({ at }) => `DATABASE_URL names ${at}, and there is no such host. Correct the address.`,
  ],
  [
    /^(28P01|28000) |SASL|password must be a string/,
    ({ at, user }) =>
      `PostgreSQL at ${at} does not let in ${user}. Correct user and password in DATABASE_URL, or allow this machine in its pg_hba.conf.`,
  ],
  [
    /^3D000 /,
    ({ at, database }) =>
      `PostgreSQL at ${at} has no database ${database}, which DATABASE_URL names. Make it: \`createdb ${database}\`.`,
  ],
  [
    /^42501 /,
    ({ user, database }) =>
      `The user of DATABASE_URL may not make tables. Let it: \`alter database ${database} owner to ${user}\`, or \`grant usage, create on schema public to ${user}\`.`,
  ],
  [
    /^53300 /,
    ({ at }) =>
      `PostgreSQL at ${at} takes no more connections. Lower INLAY_DATABASE_POOL, or raise its max_connections.`,
  ],
  [
    /server does not support SSL/,
    ({ at }) =>
      `PostgreSQL at ${at} speaks no TLS, which \`sslmode\` in DATABASE_URL asks for. Switch it on there, or take \`sslmode\` out in a network that you trust.`,
  ],
  [
    /CERT|certificate/,
    ({ at }) =>
      `The TLS certificate of PostgreSQL at ${at} could not be checked. Name the certificate of its authority in DATABASE_URL: \`sslmode=verify-full&sslrootcert=/path/to/ca.pem\`.`,
  ],
  [
    /corrupted migrations/,
    ({ database }) =>
      `The database ${database} was opened by a newer version of this server before. Start that version, or go back to a backup from before the upgrade.`,
  ],
];

function placeOf(address: string): Place {
  const url = new URL(address);
  const user = decodeURIComponent(url.username) || 'the user';
  return {
    at: url.host || url.searchParams.get('host') || 'localhost',
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  };
}
