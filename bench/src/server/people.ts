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

/**
 * Fills a store, and stops the process that did it: what is measured on the store afterwards starts
 * with a memory that no preparation has stretched.
 */
export async function preparePeople(
  count: number,
  environment: Record<string, string> = {},
): Promise<People> {
  const data = temporaryFolder('people');
  const platform = await startPlatform({ data, synchronous: 'normal', environment });
  try {
    const visitors: Visitor[] = [];
    let next = 0;
    const signInSome = async () => {
      while (next < count) {
        const number = next++;
        visitors[number] = await visit(platform, `person-${number}`);
      }
    };
    await Promise.all(Array.from({ length: together }, signInSome));
    return { data, visitors };
  } finally {
    await platform.stop();
  }
}
