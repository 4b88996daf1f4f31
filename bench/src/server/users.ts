import { temporaryFolder } from '../lib/temporary-folder.ts';
import { type BenchUser, createBenchUser, startPlatform } from './platform.ts';

/** Users with a token and a session, and the store that has them. */
export interface PreparedUsers {
  /** Data directory of the store. */
  data: string;
  benchUsers: BenchUser[];
}

/** Maximum number of concurrent sign-ins. */
const concurrency = 32;

/** Users in the SQLite store, which later benchmarks reuse. */
let embedded: PreparedUsers | undefined;
/** Number of users in all stores. Part of their ids, so that no id is used twice. */
let userCount = 0;

/**
 * Fills a store with at least `count` users in a process that ends afterwards, so that measured processes
 * start with a fresh heap. A benchmark that revokes a token must remove the user from the list.
 *
 * @param environment - Environment variables of the platform. If set, the users are in a separate store.
 */
export async function prepareUsers(
  count: number,
  environment?: Record<string, string>,
): Promise<PreparedUsers> {
  if (environment)
    return addUsers({ data: temporaryFolder('users'), benchUsers: [] }, count, environment);
  embedded ??= { data: temporaryFolder('users'), benchUsers: [] };
  return addUsers(embedded, count);
}

async function addUsers(
  users: PreparedUsers,
  count: number,
  environment = {},
): Promise<PreparedUsers> {
  const { data, benchUsers } = users;
  let missing = count - benchUsers.length;
  if (missing <= 0) return users;
  const platform = await startPlatform({ data, synchronous: 'normal', environment });
  const createUsers = async () => {
    while (missing-- > 0) benchUsers.push(await createBenchUser(platform, `user-${userCount++}`));
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, createUsers));
    return users;
  } finally {
    await platform.stop();
  }
}
