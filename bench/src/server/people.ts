import { temporaryFolder } from '../lib/temporary.ts';
import { startPlatform, type Visitor, visit } from './platform.ts';

/** People who are signed in and have begun a conversation, in a store of their own. */
export interface People {
  /** Directory of the store. */
  data: string;
  visitors: Visitor[];
}

/** Who are signed in at one time. */
const together = 32;

/** On the embedded store: whom one figure has signed in, the next one need not. */
let embedded: People | undefined;

/**
 * Fills a store with as many as are asked for or more, and stops the process that did it: what is
 * measured on the store afterwards starts with a memory that no preparation has stretched. Whoever
 * ends a token takes its visitor out of the list.
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
    await Promise.all(Array.from({ length: together }, signInSome));
    return people;
  } finally {
    await platform.stop();
  }
}
