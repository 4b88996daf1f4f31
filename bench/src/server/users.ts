import { temporaryFolder } from '../lib/temporary-folder.ts';
import { createVisitor, startPlatform, type Visitor } from './platform.ts';

/** Users with a token and a session, in a separate store. */
export interface PreparedUsers {
  /** Data directory of the store. */
  data: string;
  visitors: Visitor[];
}

/** Maximum number of concurrent sign-ins. */
const concurrency = 32;

/** Users in the embedded store, which later benchmarks reuse. */
let embedded: PreparedUsers | undefined;

/**
 * Fills a store with at least `count` users, and stops the process that did it, so that measured
 * processes start with a fresh heap. A benchmark that revokes a token must remove its visitor from the
 * list.
 *
 * @param environment - Environment variables of the platform. With them, the users get their own store.
 */
export async function prepareUsers(
  count: number,
  environment?: Record<string, string>,
): Promise<PreparedUsers> {
  if (environment)
    return addUsers({ data: temporaryFolder('users'), visitors: [] }, count, environment);
  embedded ??= { data: temporaryFolder('users'), visitors: [] };
  return addUsers(embedded, count);
}

async function addUsers(
  users: PreparedUsers,
  count: number,
  environment = {},
): Promise<PreparedUsers> {
  const { data, visitors } = users;
  let missing = count - visitors.length;
  if (missing <= 0) return users;
  const platform = await startPlatform({ data, synchronous: 'normal', environment });
  const createUsers = async () => {
    while (missing > 0) visitors.push(await createVisitor(platform, `user-${missing--}`));
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, createUsers));
    return users;
  } finally {
    await platform.stop();
  }
}
