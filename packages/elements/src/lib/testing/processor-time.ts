import { executeServerCommand } from '@web/test-runner-commands';

/** Shortest time that `processorTimeOf` measures reliably, in milliseconds. */
export const minimumTime = 8;

/** Whether the engine reports processor time: Chromium does. */
export async function reportsProcessorTime(): Promise<boolean> {
  return (await read()) !== null;
}

/**
 * Measures the processor time of the main thread during `work`, layout included, in milliseconds.
 *
 * @throws {Error} In an engine that doesn't report it. Elapsed time would depend on other processes.
 */
export async function processorTimeOf(work: () => Promise<void>): Promise<number> {
  const before = await read();
  await work();
  const after = await read();
  if (before === null || after === null) throw new Error('This engine reports no processor time.');
  return after - before;
}

async function read(): Promise<number | null> {
  const answer: unknown = await executeServerCommand('processor-time');
  return (answer as { milliseconds: number | null }).milliseconds;
}
