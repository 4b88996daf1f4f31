/**
 * Codes of a store that cannot be reached, has no room for another connection or on its disk, is stopping, or gave
 * up on two transactions that waited for each other: whatever was asked may succeed a little later.
 * PostgreSQL, appendix A (a class, or one code of it); Node's own; SQLite's.
 */
const unavailable =
  /^(?:08...|53[13]00|57P0[1-5]|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT|SQLITE_(?:BUSY|LOCKED|FULL|IOERR)\w*)$/;

/** What `pg` says without a code. */
const unavailableWords =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** Whether a failure is the store's, and passes. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return unavailable.test(code) || unavailableWords.test(error.message);
}
