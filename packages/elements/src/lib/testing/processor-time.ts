import { executeServerCommand } from '@web/test-runner-commands';

/** Less time than this is not told apart by `processorTimeOf`, in milliseconds. */
export async function leastTime(): Promise<number> {
  return (await used()) === null ? 100 : 8;
}

/**
 * Milliseconds of processor time that the main thread takes for `work`, layout included. In an engine
 * that does not tell it, the time that passes meanwhile.
 */
export async function processorTimeOf(work: () => Promise<void>): Promise<number> {
  const before = await now();
  await work();
  return (await now()) - before;
}

async function now(): Promise<number> {
  return (await used()) ?? performance.now();
}

async function used(): Promise<number | null> {
  const answer: unknown = await executeServerCommand('processor-time');
  return (answer as { milliseconds: number | null }).milliseconds;
}
