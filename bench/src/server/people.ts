import { temporaryFolder } from '../lib/temporary.ts';
import { startPlatform, type Visitor, visit } from './platform.ts';

/** Users with a token and a session, in a separate store. */
export interface People {
  /** Data directory of the store. */
  data: string;
  visitors: Visitor[];
}

/** Maximum number of concurrent sign-ins. */
const concurrency = 32;

/** Users in the embedded store, reused by later figures. */
let embedded: People | undefined;

/**
 * Fills a store with at least `count` users, and stops the process that did it, so that measured
 * processes start with a fresh heap. A figure that revokes a token must remove its visitor from the
 * list.
 */
export async function preparePeople(
  count: number,
  environment?: Record<string, string>,
): Promise<People> {
  if (environment)
    return signIn({ data: temporaryFolder('people'), visitors: [] }, count, environment);
  embedded ??= { data: temporaryFolder('people'), visitors: [] };
  return signIn(embedded, count);
}

async function signIn(people: People, count: number, environment = {}): Promise<People> {
  const { data, visitors } = people;
  let missing = count - visitors.length;
  if (missing <= 0) return people;
  const platform = await startPlatform({ data, synchronous: 'normal', environment });
  const signInSome = async () => {
    while (missing > 0) visitors.push(await visit(platform, `person-${missing--}`));
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, signInSome));
    return people;
  } finally {
    await platform.stop();
  }
}
