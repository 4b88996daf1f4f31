/**
 * Codes of temporary failures of the store: unreachable, out of connections or disk space, shutting
 * down, or deadlocked. The codes are those of PostgreSQL (appendix A), Node and SQLite.
 */
const unavailableCodes =
  /^(?:08...|53[13]00|57P0[1-5]|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT|SQLITE_(?:BUSY|LOCKED|FULL|IOERR)\w*)$/;

/** Message of the `pg` error for a server that does not respond to a query. */
export const readTimeoutMessage = 'Query read timeout';

/** Messages of `pg` errors without a code. */
const unavailableMessages = new RegExp(
  `^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|${readTimeoutMessage})`,
);

/** Whether an error is a temporary failure of the store. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return unavailableCodes.test(code) || unavailableMessages.test(error.message);
}
